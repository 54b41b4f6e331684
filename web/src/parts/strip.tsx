// Stretches of source time as a picture: one row, or one row a year, each stretch in the colour of its state.
import {day} from '../words';
import {type Tone} from './basic';

export interface Stretch {
  from: number; // milliseconds
  to: number;
  tone: Tone;
  name: string; // what it is, with its state in words
  href?: string;
}

const WIDTH = 1_000;
const ROW = 22;

interface StripProps {
  label: string;
  from: number;
  to: number;
  stretches: Stretch[];
}

// What ends in a point of time still deserves to be seen.
const LEAST = 1.5;

function Bars(props: {from: number; to: number; y: number; height: number; stretches: Stretch[]}) {
  const scale = WIDTH / (props.to - props.from);
  return (
    <>
      {props.stretches.filter((one) => one.to > props.from && one.from < props.to).map((one, i) => {
        const x = Math.max(0, (one.from - props.from) * scale);
        const end = Math.min(WIDTH, (one.to - props.from) * scale);
        const bar = (
          <rect class={`bar ${one.tone}`} x={x} y={props.y} width={Math.max(end - x, LEAST)} height={props.height}>
            <title>{one.name}</title>
          </rect>
        );
        return one.href ? <a key={i} href={one.href} aria-label={one.name}>{bar}</a> : <g key={i}>{bar}</g>;
      })}
    </>
  );
}

export function Strip(props: StripProps) {
  if (!(props.to > props.from)) return null;
  return (
    <figure class="strip">
      <svg viewBox={`0 0 ${WIDTH} 34`} preserveAspectRatio="none" role="group" aria-label={props.label}>
        <Hatch />
        <rect class="ground" x="0" y="0" width={WIDTH} height="34" />
        <Bars {...props} y={2} height={30} />
      </svg>
      <figcaption><span>{day(new Date(props.from).toISOString())}</span><span>{day(new Date(props.to).toISOString())}</span></figcaption>
    </figure>
  );
}

// One row a year, or a month where there is a year at most.
export function Years(props: StripProps) {
  const rows = rowsOf(props.from, props.to);
  return (
    <figure class="years" aria-label={props.label}>
      {rows.map((row) => (
        <div class="year" key={row.name}>
          <span class="num">{row.name}</span>
          <svg viewBox={`0 0 ${WIDTH} ${ROW}`} preserveAspectRatio="none" role="group" aria-label={`${row.name}: ${props.label}`}>
            <Hatch />
            <rect class="ground" x={((Math.max(row.from, props.from) - row.from) / (row.to - row.from)) * WIDTH} y="0"
              width={((Math.min(row.to, props.to) - Math.max(row.from, props.from)) / (row.to - row.from)) * WIDTH} height={ROW} />
            <Bars from={row.from} to={row.to} y={0} height={ROW} stretches={props.stretches} />
          </svg>
        </div>
      ))}
    </figure>
  );
}

function rowsOf(from: number, to: number) {
  const rows: {name: string; from: number; to: number}[] = [];
  const isLong = to - from > 800 * 86_400_000;
  const at = new Date(from);
  let year = at.getUTCFullYear();
  let month = isLong ? 0 : at.getUTCMonth();
  for (;;) {
    const begin = Date.UTC(year, month);
    if (begin >= to) return rows;
    const end = isLong ? Date.UTC(year + 1, 0) : Date.UTC(year, month + 1);
    rows.push({name: isLong ? String(year) : new Date(begin).toISOString().slice(0, 7), from: begin, to: end});
    if (isLong || ++month === 12) (month = 0, ++year);
  }
}

function Hatch() {
  return (
    <defs>
      <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch-ground" width="6" height="6" /><rect class="hatch-line" width="2.4" height="6" />
      </pattern>
    </defs>
  );
}

export function Legend(props: {of: [Tone, string][]}) {
  return (
    <ul class="legend">
      {props.of.map(([tone, name]) => (
        <li key={name}>
          <svg width="14" height="14" aria-hidden="true"><Hatch /><rect class={`bar ${tone}`} width="14" height="14" rx="2" /></svg>{name}
        </li>
      ))}
    </ul>
  );
}
