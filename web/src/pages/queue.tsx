// How much waits and runs, and how it moves.
import {useMemo} from 'preact/hooks';
import {useAnswer} from '../api/hooks';
import type {QueueHistory, QueueRow} from '../api/types';
import {Empty, Loading, Moment, Number, Panel, Scope, State, Trouble} from '../parts/basic';
import {Chart} from '../parts/chart';
import {Filters, Choice} from '../parts/filters';
import {Table} from '../parts/table';
import {type Place, linkTo} from '../route';
import {count, rate, share} from '../words';

interface Queue {
  from: string;
  to: string;
  parkedIsCut: boolean;
  items: QueueRow[];
}

const WINDOWS = ['1m', '10m', '1h', '6h', '1d', '7d'];

export function QueuePage({place}: {place: Place}) {
  const {source, endpoint, operation, window: length = '1h'} = place.query;
  const {data, error} = useAnswer<Queue>('queue', {source, endpoint, operation, window: length}, {on: ['queue', 'run'], everyMs: 15_000});
  const sum = (of: (row: QueueRow) => number) => data?.items.reduce((total, row) => total + of(row), 0) ?? 0;
  const tasks = (row: QueueRow, status: string) => linkTo(['tasks'], {source: row.source, endpoint: row.endpoint, operation: row.operation, status});
  return (
    <>
      <Filters place={place} operation><Choice place={place} name="window" label="Counted over" of={WINDOWS} any="1h" /></Filters>
      <Trouble error={error} />
      {!data && !error && <Loading />}
      {data && (
        <>
          <div class="numbers">
            <Number name="Ready" value={count(sum((row) => row.ready))} note="would run now" />
            <Number name="Parked" value={`${count(sum((row) => row.parked))}${data.parkedIsCut ? '+' : ''}`} note="wait for a time" />
            <Number name="Dispatched" value={count(sum((row) => row.dispatched))} />
            <Number name="Executing" value={count(sum((row) => row.executing))} />
            <Number name="Claims" value={count(sum((row) => row.claims))} note={`within ${length}`} />
            <Number name="Told to be slower" value={count(sum((row) => row.throttled))} tone={sum((row) => row.throttled) ? 'warn' : undefined} note="answers with 429" />
          </div>
          <OverTime source={source} endpoint={endpoint} operation={operation} length={length} />
          <Panel title="By source, endpoint and operation" aside={<span class="quiet"><Moment at={data.from} /> … <Moment at={data.to} /></span>}>
            {data.items.length === 0 ? <Empty>Nothing waits, and nothing was done within {length}. <a href="#/backfill">Plan something</a>, or look at a longer time.</Empty> : (
              <Table caption="The queue" rows={data.items} keyOf={(row) => `${row.source}/${row.endpoint}/${row.operation}`}
                columns={[
                  {head: 'Endpoint', cell: (row) => <Scope source={row.source} endpoint={row.endpoint} />},
                  {head: 'Operation', cell: (row) => <State code={row.operation} tone="none" />},
                  {head: 'Ready', isNumber: true, cell: (row) => <a href={tasks(row, 'QUEUED')}>{count(row.ready)}</a>},
                  {head: 'Parked', isNumber: true, cell: (row) => count(row.parked)},
                  {head: 'Dispatched', isNumber: true, cell: (row) => count(row.dispatched)},
                  {head: 'Executing', isNumber: true, cell: (row) => <a href={tasks(row, 'EXECUTING')}>{count(row.executing)}</a>},
                  {head: 'Claims', isNumber: true, cell: (row) => <span title={rate(row.claimsPerSecond)}>{count(row.claims)}</span>},
                  {head: 'Runs well', isNumber: true, cell: (row) => count(row.runsSucceeded)},
                  {head: 'partial', isNumber: true, cell: (row) => count(row.runsPartial)},
                  {head: 'failed', isNumber: true, cell: (row) => row.runsFailed
                    ? <a class="bad" href={linkTo(['runs'], {source: row.source, endpoint: row.endpoint, operation: row.operation, status: 'FAILED'})}>{count(row.runsFailed)}</a> : '0'},
                  {head: 'Batches failed', isNumber: true, cell: (row) => <span class={row.batchesFailed ? 'bad' : ''} title={`${row.batchesFailed} of ${row.batchesFailed + row.batchesSucceeded}`}>{share(row.failureShare)}</span>},
                  {head: 'Mean latency', isNumber: true, cell: (row) => (row.meanLatencyMs === null ? '–' : `${Math.round(row.meanLatencyMs)} ms`)},
                  {head: 'Requests', isNumber: true, cell: (row) => <span title={count(row.requests)}>{rate(row.requestsPerSecond)}</span>},
                  {head: 'Retries', isNumber: true, cell: (row) => count(row.retries)},
                  {head: '429', isNumber: true, cell: (row) => <span class={row.throttled ? 'warn' : ''}>{share(row.throttledShare)}</span>},
                  {head: 'Records', isNumber: true, cell: (row) => count(row.records)},
                ]} />
            )}
          </Panel>
        </>
      )}
    </>
  );
}

const SHORTEST = 60; // steps of a minute make no picture of less than an hour

function OverTime(props: {source?: string; endpoint?: string; operation?: string; length: string}) {
  const length = ['1m', '10m'].includes(props.length) ? '1h' : props.length;
  const {source, endpoint, operation} = props;
  const {data, error} = useAnswer<QueueHistory>('queue/history', {source, endpoint, operation, from: `-${length}`, steps: 2 * SHORTEST}, {everyMs: 30_000});
  const times = useMemo(() => data?.at.map((at) => Date.parse(at) / 1_000) ?? [], [data]);
  if (!data) return error ? <Trouble error={error} /> : null;
  const {all} = data;
  if (!all.requestsPerSecond.some((n) => n > 0) && !all.claimsPerSecond.some((n) => n > 0)) return null;
  return (
    <div class="two">
      <Panel title={`Requests and claims over ${length}`}>
        <Chart label={`Requests and claims a second over ${length}`} times={times} values={[all.requestsPerSecond, all.claimsPerSecond]} format={rate}
          lines={[{name: 'requests', color: '--accent'}, {name: 'claims', color: '--good'}]} />
      </Panel>
      <Panel title={`Failures and 429s over ${length}`}>
        <Chart label={`Which part of batches failed, and of requests was answered with 429, over ${length}`} times={times} values={[all.failureShare, all.throttledShare]} format={share}
          lines={[{name: 'batches failed', color: '--bad'}, {name: '429', color: '--warn'}]} />
      </Panel>
    </div>
  );
}
