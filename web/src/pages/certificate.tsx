// What is proven complete, by what, and what is not; and the button that mends it.
import {useAnswer} from '../api/hooks';
import type {Page} from '../api/client';
import type {Certificate, Gap, Repair} from '../api/types';
import {Action} from '../parts/action';
import {Empty, Facts, IdLink, Loading, Moment, Panel, State, Trouble} from '../parts/basic';
import {DayGrid} from '../parts/days';
import {useSources} from '../parts/filters';
import {Legend, type Stretch, Years} from '../parts/strip';
import {Table} from '../parts/table';
import {type Place, linkTo, narrow} from '../route';
import {count, stretch} from '../words';

const ROWS_SHOWN = 100;
const DAYS_MOST = 36_600;
// Shorter ones are drawn to the moment as well.
const SHORT_MS = 62 * 86_400_000;

export function CertificatePage({place}: {place: Place}) {
  const sources = useSources();
  const {source, from, to} = place.query;
  const {data, error, isLoading, reload} = useAnswer<Page<Certificate>>(source ? 'verify' : null, {source, from, to, gaps: ROWS_SHOWN, proofs: ROWS_SHOWN, days: DAYS_MOST});
  const targets = sources.flatMap((one) => [one.source, ...one.endpoints.map((endpoint) => `${one.source}/${endpoint}`)]);
  return (
    <>
      <div class="filters" role="search" aria-label="What to prove">
        <label>Of
          <select value={source ?? ''} onChange={(event) => narrow(place, {source: event.currentTarget.value})}>
            <option value="">choose a source</option>
            {(source && !targets.includes(source) ? [...targets, source] : targets).map((one) => <option key={one} value={one}>{one}</option>)}
          </select>
        </label>
        <label>From<input type="date" value={from ?? ''} onChange={(event) => narrow(place, {from: event.currentTarget.value})} /></label>
        <label>Until<input type="date" value={to ?? ''} onChange={(event) => narrow(place, {to: event.currentTarget.value})} /></label>
        {source && <button type="button" onClick={reload}>Prove it again</button>}
      </div>
      <Trouble error={error} />
      {!source && <Empty>Choose a source or one of its endpoints. A certificate is made of the ledger at the moment that you ask.</Empty>}
      {isLoading && !data && <Loading />}
      {data?.items.length === 0 && <Empty>Nothing was ever planned of it. <a href={linkTo(['backfill'], {source})}>Plan a harvest</a></Empty>}
      {data?.items.map((certificate) => <One key={`${certificate.endpoint} ${certificate.queryHash}`} certificate={certificate} onDone={reload} />)}
    </>
  );
}

function nameOf(gap: Gap): string {
  return `${gap.kind.toLowerCase().replaceAll('_', ' ')}: ${stretch(gap.stretch.from, gap.stretch.to)}: ${gap.reason}`;
}

function stretchesOf(certificate: Certificate): Stretch[] {
  return [
    ...certificate.proven.map((proven): Stretch => ({
      from: Date.parse(proven.stretch.from), to: Date.parse(proven.stretch.to), tone: 'good',
      name: `proven complete: ${stretch(proven.stretch.from, proven.stretch.to)}`,
    })),
    ...certificate.gaps.map((gap): Stretch => ({
      from: Date.parse(gap.stretch.from), to: Date.parse(gap.stretch.to), tone: gap.kind === 'UNFINISHED' ? 'wait' : 'bad', name: nameOf(gap),
      href: gap.slice ? linkTo(['slices', gap.slice]) : undefined,
    })),
  ];
}

function One({certificate, onDone}: {certificate: Certificate; onDone: () => void}) {
  const target = `${certificate.source}/${certificate.endpoint}`;
  const {sums, range, gaps, gapsInAll, proofsInAll} = certificate;
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  return (
    <Panel title={target} aside={<State code={certificate.complete ? 'complete' : 'not complete'} tone={certificate.complete ? 'good' : 'bad'} />}>
      {certificate.days && <DayGrid days={certificate.days} from={from} source={target} label={`What is proven complete of ${target}, day by day`} />}
      {to - from <= SHORT_MS && gapsInAll === gaps.length && <Years label={`What is proven complete of ${target}`} from={from} to={to} stretches={stretchesOf(certificate)} />}
      <Legend of={[['good', 'proven complete, deeper where more came'], ['wait', 'not finished yet'], ['bad', 'a gap'], ['none', 'not yet, or nothing is known']]} />
      <Facts of={[
        ['Range', stretch(range.from, range.to)], ['Announced', count(sums.announced)], ['Received', count(sums.received)], ['New', count(sums.inserted)],
        ['Updated', count(sums.updated)], ['Unchanged', count(sums.unchanged)], ['Quarantined', count(sums.quarantined)],
        ['Missing', <span class={sums.missing ? 'bad' : ''}>{count(sums.missing)}</span>],
        ['Still in quarantine', certificate.quarantineOpen
          ? <a href={linkTo(['quarantine'], {source: certificate.source, status: 'OPEN'})}>{count(certificate.quarantineOpen)}</a> : '0'],
        ['Issued', <Moment at={certificate.issuedAt} />],
      ]} />
      {!certificate.complete && (
        <p class="buttons">
          <Action<Page<Repair>> label="Repair" tone="main" title={`Repair ${target}`} button="Plan the repair" path="repairs" onDone={onDone}
            body={{source: target}} what={<p>Exactly what is missing is planned: {count(gapsInAll)} gaps. What is under way is left to itself.</p>}
            outcome={(answer) => <>{answer.items.map((one) => one.needed
              ? `${one.slices} slices are planned, ${one.triedAgain} tried again${one.givenUp ? `, ${one.givenUp} stay given up` : ''}${one.held ? `; held: ${one.held}` : ''}. `
              : one.hint ?? 'Nothing is to be repaired. ')}</>} />
        </p>
      )}
      {gaps.length > 0 && (
        <>
          <h3>Gaps by name{gapsInAll > gaps.length && <span class="quiet"> · the first {count(gaps.length)} of {count(gapsInAll)}; choose a day or a time to see others</span>}</h3>
          <Table caption={`Gaps of ${target}`} rows={gaps} keyOf={(gap) => `${gap.slice} ${gap.stretch.from} ${gap.kind}`} columns={[
            {head: 'Kind', cell: (gap) => <State code={gap.kind} tone={gap.kind === 'UNFINISHED' ? 'wait' : 'bad'} />},
            {head: 'Stretch', cell: (gap) => <span class="num">{stretch(gap.stretch.from, gap.stretch.to)}</span>},
            {head: 'Why', isWide: true, cell: (gap) => gap.reason},
            {head: 'Slice', cell: (gap) => <IdLink kind="slice" id={gap.slice} />},
            {head: 'Task', cell: (gap) => <IdLink kind="task" id={gap.task} />},
          ]} />
        </>
      )}
      {certificate.imbalances.length > 0 && (
        <>
          <h3>What does not add up</h3>
          <Table caption={`Imbalances of ${target}`} rows={certificate.imbalances} keyOf={(one) => `${one.slice} ${one.reason}`} columns={[
            {head: 'Stretch', cell: (one) => <span class="num">{stretch(one.stretch.from, one.stretch.to)}</span>},
            {head: 'Why', isWide: true, cell: (one) => one.reason}, {head: 'Slice', cell: (one) => <IdLink kind="slice" id={one.slice} />},
          ]} />
        </>
      )}
      {certificate.proven.length > 0 && (
        <>
          <h3>Proven, and by what{proofsInAll > ROWS_SHOWN && <span class="quiet"> · the first {ROWS_SHOWN} of {count(proofsInAll)}</span>}</h3>
          <Table caption={`Proofs of ${target}`} rows={certificate.proven.flatMap((proven) => proven.by.map((by) => ({proven, by})))}
            keyOf={({proven, by}) => `${proven.stretch.from} ${by.plan} ${by.operation}`} columns={[
              {head: 'Stretch', cell: ({proven}) => <span class="num">{stretch(proven.stretch.from, proven.stretch.to)}</span>},
              {head: 'Plan', cell: ({by}) => <IdLink kind="plan" id={by.plan} />}, {head: 'Operation', cell: ({by}) => <State code={by.operation} tone="none" />},
              {head: 'Slices', isNumber: true, cell: ({by}) => count(by.slices)},
              {head: 'By exact total', isNumber: true, cell: ({by}) => count(by.byExactTotal)},
              {head: 'by estimate', isNumber: true, cell: ({by}) => count(by.byEstimate)},
              {head: 'by the end of the list', isNumber: true, cell: ({by}) => count(by.byEndRule)},
              {head: 'Received', isNumber: true, cell: ({by}) => count(by.sums.received)},
            ]} />
        </>
      )}
    </Panel>
  );
}
