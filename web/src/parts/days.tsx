// Days as a grid: one block a year, a column for each week, a day in the colour of its state.
import {linkTo} from '../route';
import type {DayColumns} from '../api/types';
import {count} from '../words';
import {type Tone} from './basic';

const DAY_MS = 86_400_000;
const CELL = 11;
const WEEKS = 54;
// So many can be gone through by keyboard; all of them stand in the list of gaps.
const LINKS_MOST = 200;

interface Day {
  at: number;
  state: string;
  proven: number;
  slices: number;
  records: number;
}

const NAMES: Record<string, string> = {
  PROVEN: 'proven complete', UNFINISHED: 'not finished', EARLY: 'not yet', FAILED: 'failed', PARTIAL: 'partly received', CANCELLED: 'cancelled', NEVER_PLANNED: 'never planned',
};

function toneOf(state: string): Tone {
  return state === 'PROVEN' ? 'good' : state === 'UNFINISHED' ? 'wait' : state === 'EARLY' ? 'none' : 'bad';
}

function daysIn(columns: DayColumns, from: number): Map<number, Day[]> {
  const years = new Map<number, Day[]>();
  const first = Math.floor(from / DAY_MS) * DAY_MS;
  columns.states.forEach((state, i) => {
    const at = first + i * DAY_MS;
    const year = new Date(at).getUTCFullYear();
    const days = years.get(year) ?? [];
    years.set(year, days);
    days.push({at, state, proven: columns.proven[i]!, slices: columns.slices[i]!, records: columns.records[i]!});
  });
  return years;
}

function nameOf(day: Day): string {
  const part = day.state !== 'PROVEN' && day.proven > 0 ? `, ${Math.floor(day.proven * 100)} % proven` : '';
  const slices = day.slices ? `, ${count(day.slices)} slices, ${count(day.records)} records` : '';
  return `${new Date(day.at).toISOString().slice(0, 10)}: ${NAMES[day.state] ?? day.state.toLowerCase()}${part}${slices}`;
}

function summaryOf(year: number, days: Day[]): string {
  const of = (tone: Tone) => days.filter((day) => toneOf(day.state) === tone).length;
  return `${year}: ${count(of('good'))} days proven complete, ${count(of('bad'))} with a gap, ${count(of('wait'))} not finished`;
}

// Deeper where more came: four steps, by how many records the fullest day has.
function depthOf(day: Day, most: number): number {
  if (day.state !== 'PROVEN' || most === 0) return 1;
  return day.records === 0 ? 0.35 : 0.5 + 0.5 * (Math.ceil((4 * day.records) / most) / 4);
}

function Year(props: {year: number; days: Day[]; most: number; areLinks: boolean; source: string}) {
  const first = Date.UTC(props.year, 0);
  const shift = (new Date(first).getUTCDay() + 6) % 7;
  const summary = summaryOf(props.year, props.days);
  return (
    <div class="year">
      <span class="num">{props.year}</span>
      <svg viewBox={`0 0 ${WEEKS * CELL} ${7 * CELL}`} role={props.areLinks ? 'group' : 'img'} aria-label={summary}>
        {props.days.map((day) => {
          const place = (day.at - first) / DAY_MS + shift;
          const tone = toneOf(day.state);
          const name = nameOf(day);
          const cell = (
            <rect class={`bar ${tone}`} x={Math.floor(place / 7) * CELL} y={(place % 7) * CELL} width={CELL - 1.5} height={CELL - 1.5} rx="1.5" opacity={depthOf(day, props.most)}>
              <title>{name}</title>
            </rect>
          );
          const isGap = tone === 'bad' || tone === 'wait';
          const to = linkTo(['certificate'], {source: props.source, from: new Date(day.at).toISOString().slice(0, 10), to: new Date(day.at + DAY_MS).toISOString().slice(0, 10)});
          return isGap && props.areLinks ? <a key={day.at} href={to} aria-label={name}>{cell}</a> : <g key={day.at}>{cell}</g>;
        })}
      </svg>
    </div>
  );
}

export function DayGrid({days: columns, from, label, source}: {days: DayColumns; from: number; label: string; source: string}) {
  const years = daysIn(columns, from);
  const all = [...years.values()].flat();
  const most = all.reduce((so, day) => Math.max(so, day.records), 0);
  const gaps = all.filter((day) => ['bad', 'wait'].includes(toneOf(day.state))).length;
  return (
    <figure class="years days" aria-label={label}>
      {[...years].map(([year, days]) => <Year key={year} year={year} days={days} most={most} areLinks={gaps <= LINKS_MOST} source={source} />)}
    </figure>
  );
}
