// One run: its requests one after the other, with waits, retries and errors standing out.
import {useAnswer, useList} from '../api/hooks';
import type {Page} from '../api/client';
import type {AnswerCount, Batch, Run} from '../api/types';
import {Facts, Fold, Json, Loading, Moment, Panel, Scope, State, Trouble, toneOf} from '../parts/basic';
import {Crumbs} from '../parts/crumbs';
import {Legend, type Stretch, Strip} from '../parts/strip';
import {ListTable} from '../parts/table';
import {TimelinePanel} from '../parts/timeline';
import {linkTo} from '../route';
import {between, count, duration, stretch} from '../words';
import {BATCH_COLUMNS, hintOf} from './lists';

interface RunStats {
  reqCount?: number;
  retryCount?: number;
  throttledCount?: number;
  waitTotalMs?: number;
  avgLatencyMs?: number;
  maxLatencyMs?: number;
  pagesVisited?: number;
  hasNextLast?: boolean;
  remarks?: string;
  rateAdjusted?: boolean;
  circuitOpened?: number;
  retryAfterHits?: number;
  late?: number;
}

export function RunPage({id}: {id: string}) {
  const {data: run, error} = useAnswer<Run>(`runs/${id}`, {}, {on: ['run'], everyMs: 15_000});
  const batches = useList<Batch>(run ? 'batches' : null, {run: id, limit: 200}, {on: ['run']});
  if (!run) return error ? <Trouble error={error} /> : <Loading />;
  const stats = (run.stats ?? {}) as RunStats;
  const newest = batches.rows[0];
  const begin = Date.parse(run.startedAt ?? run.createdAt);
  const end = Date.parse(run.finishedAt ?? newest?.committedAt ?? newest?.createdAt ?? run.createdAt);
  return (
    <>
      <Crumbs at="run" plan={run.plan} slice={run.slice} task={run.task} run={id} />
      <Panel title={`Try ${run.attempt} at ${run.source}/${run.endpoint}`} aside={<State code={run.status} />}>
        {run.error && <p class="bad"><strong>Error:</strong> {run.error}</p>}
        <Facts of={[
          ['Source', <Scope source={run.source} endpoint={run.endpoint} />], ['Window', stretch(run.windowFrom, run.windowTo)],
          ['Began', <Moment at={run.startedAt} />], ['Took', between(run.startedAt, run.finishedAt)],
          ['Pages', count(stats.pagesVisited)], ['Requests', count(stats.reqCount)],
          ['Retries', <span class={stats.retryCount ? 'warn' : ''}>{count(stats.retryCount)}</span>],
          ['Told to be slower', <span class={stats.throttledCount ? 'warn' : ''}>{count(stats.throttledCount)}</span>],
          ['Waited for the gate', stats.waitTotalMs === undefined ? '–' : duration(stats.waitTotalMs / 1_000)],
          ['Latency', stats.avgLatencyMs === undefined ? '–' : `${stats.avgLatencyMs} ms, at most ${stats.maxLatencyMs} ms`],
          ['There was a next page', stats.hasNextLast === undefined ? '–' : stats.hasNextLast ? 'yes, it is not read to the end' : 'no, it was read to the end'],
          ['Next', newest?.after ? <code>{typeof newest.after === 'string' ? newest.after : JSON.stringify(newest.after)}</code> : 'nothing'],
          ['Hint of the next page', (newest && hintOf(newest)) ?? 'none'], ['Late arrivals', count(stats.late)],
        ]} />
      </Panel>
      <Panel title="Requests over time" aside={batches.more ? <span class="quiet">the newest 200</span> : undefined}>
        <Strip label="Batches of this run in the order of time; where nothing is drawn it waited" from={begin} to={end}
          stretches={batches.rows.flatMap(stretchesOf)} />
        <Legend of={[['wait', 'waiting for the gate'], ['good', 'succeeded'], ['warn', 'succeeded after retries'], ['busy', 'running'], ['bad', 'failed'], ['none', 'skipped, or nothing']]} />
        <Histogram run={id} />
      </Panel>
      <Panel title="Batches, newest first"><ListTable caption="Batches of this run" list={batches} keyOf={(batch) => batch.id} columns={BATCH_COLUMNS} empty={<>No request was sent yet.</>} /></Panel>
      <TimelinePanel kind="runs" id={id} />
      <Panel title="Numbers"><Fold title="All that was counted"><Json value={run.stats} label="stats" /></Fold></Panel>
    </>
  );
}

// How long it waited for the gate, then what it was.
function stretchesOf(batch: Batch): Stretch[] {
  const from = Date.parse(batch.createdAt);
  const to = Date.parse(batch.committedAt ?? batch.createdAt);
  const waited = (batch.response as {rate?: {waitMs?: number}} | null)?.rate?.waitMs ?? 0;
  const retries = (batch.stats as {retryCount?: number} | null)?.retryCount ?? 0;
  const sent = Math.min(to, from + waited);
  const href = linkTo(['batches', batch.id]);
  const name = `batch ${batch.number} ${batch.status.toLowerCase()}, ${batch.records} records${retries ? `, ${retries} retries` : ''}${batch.error ? `: ${batch.error}` : ''}`;
  const tone = batch.status === 'SUCCEEDED' && retries > 0 ? 'warn' : toneOf(batch.status);
  const work: Stretch = {from: sent, to, tone, href, name};
  return sent > from ? [{from, to: sent, tone: 'wait', href, name: `batch ${batch.number} waited ${waited} ms`}, work] : [work];
}

function Histogram({run}: {run: string}) {
  const {data, error} = useAnswer<Page<AnswerCount>>(`runs/${run}/answers`, {}, {on: ['run']});
  if (!data) return <Trouble error={error} />;
  const most = Math.max(1, ...data.items.map((row) => row.batches));
  return (
    <ul class="histogram" aria-label="Batches of this run by how they ended">
      {data.items.map((row) => (
        <li key={`${row.status} ${row.httpStatus}`}>
          <span>{row.httpStatus ? `HTTP ${row.httpStatus}` : row.status === 'RUNNING' ? 'under way' : 'no answer that is kept'} <State code={row.status} /></span>
          <meter min={0} max={most} value={row.batches} aria-hidden="true" /><span class="num">{count(row.batches)}</span>
        </li>
      ))}
    </ul>
  );
}
