// Plans, slices, tasks, runs and batches as lists, newest first.
import {useList} from '../api/hooks';
import type {Batch, Plan, Run, Slice, Task} from '../api/types';
import {IdLink, Moment, Panel, Scope, State, When} from '../parts/basic';
import {Filters} from '../parts/filters';
import {type Column, ListTable} from '../parts/table';
import {type Place, linkTo} from '../route';
import {between, bytes, count, stretch} from '../words';

const PLAN_STATES = ['DRAFT', 'SLICING', 'READY', 'PARTIAL', 'FAILED', 'COMPLETED', 'CANCELLED'];
const SLICE_STATES = ['PENDING', 'READY', 'EXECUTING', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELLED'];
const TASK_STATES = ['QUEUED', 'DISPATCHED', 'EXECUTING', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELLED'];
const RUN_STATES = ['PLANNED', 'RUNNING', 'SUCCEEDED', 'PARTIAL', 'FAILED', 'CANCELLED'];
const BATCH_STATES = ['PLANNED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED', 'GIVEN_BACK'];

const FILTERS = ['source', 'endpoint', 'operation', 'status', 'plan', 'slice', 'task', 'run'];

function paramsOf(place: Place): Record<string, string | undefined> {
  return Object.fromEntries(FILTERS.map((name) => [name, place.query[name]]));
}

// The lists belong together: one is a click away from the other, with the same filter.
function Siblings(props: {place: Place; active: string}) {
  const {source, endpoint, operation} = props.place.query;
  return (
    <nav class="siblings" aria-label="Lists">
      {['plans', 'slices', 'tasks', 'runs', 'batches'].map((name) => (
        <a key={name} href={linkTo([name], {source, endpoint, operation})} aria-current={name === props.active ? 'page' : undefined}>{name}</a>
      ))}
    </nav>
  );
}

const scope = <Row extends {source: string; endpoint: string}>(): Column<Row> =>
  ({head: 'Endpoint', cell: (row) => <Scope source={row.source} endpoint={row.endpoint} />});
const operation = <Row extends {operation: string}>(): Column<Row> => ({head: 'Operation', cell: (row) => <State code={row.operation} tone="none" />});
const state = <Row extends {status: string}>(): Column<Row> => ({head: 'State', cell: (row) => <State code={row.status} />});
const windowOf = <Row extends {windowFrom: string | null; windowTo: string | null}>(): Column<Row> =>
  ({head: 'Window', cell: (row) => <span class="num">{stretch(row.windowFrom, row.windowTo)}</span>});

export function PlansPage({place}: {place: Place}) {
  const list = useList<Plan>('plans', paramsOf(place), {on: ['run'], everyMs: 60_000});
  return (
    <>
      <Siblings place={place} active="plans" />
      <Filters place={place} states={PLAN_STATES} operation />
      <Panel title="Plans, newest first">
        <ListTable caption="Plans" list={list} keyOf={(row) => row.id} empty={<>No plan is like this. <a href="#/backfill">Make one</a>, or take filters away.</>}
          columns={[
            {head: 'Plan', cell: (row) => <IdLink kind="plan" id={row.id} />}, scope(), operation(), state(), windowOf(),
            {head: 'Strategy', cell: (row) => row.strategy.toLowerCase()},
            {head: 'Made', isNumber: true, cell: (row) => <When at={row.createdAt} />},
            {head: 'Changed', isNumber: true, cell: (row) => <When at={row.updatedAt} />},
          ]} />
      </Panel>
    </>
  );
}

export const SLICE_COLUMNS: Column<Slice>[] = [
  {head: 'Slice', cell: (row) => <IdLink kind="slice" id={row.id} />}, state(), windowOf(),
  {head: 'Announced', isNumber: true, cell: (row) => count(row.announced)},
  {head: 'Received', isNumber: true, cell: (row) => count(row.received)},
  {head: 'New', isNumber: true, cell: (row) => count(row.inserted)},
  {head: 'Updated', isNumber: true, cell: (row) => count(row.updated)},
  {head: 'Quarantine', isNumber: true, cell: (row) => count(row.quarantined)},
  {head: 'Missing', isNumber: true, cell: (row) => <span class={row.missing ? 'bad' : ''}>{count(row.missing)}</span>},
  {head: 'Gap', isWide: true, cell: (row) => row.gap ?? ''},
  {head: 'Task', cell: (row) => <IdLink kind="task" id={row.task} />},
];

export function SlicesPage({place}: {place: Place}) {
  const list = useList<Slice>('slices', paramsOf(place), {on: ['run'], everyMs: 60_000});
  return (
    <>
      <Siblings place={place} active="slices" />
      <Filters place={place} states={SLICE_STATES} operation />
      <Panel title="Slices, newest first">
        <ListTable caption="Slices" list={list} keyOf={(row) => row.id} columns={[SLICE_COLUMNS[0]!, scope(), ...SLICE_COLUMNS.slice(1)]}
          empty={<>No slice is like this. Take filters away to see more.</>} />
      </Panel>
    </>
  );
}

export function TasksPage({place}: {place: Place}) {
  const list = useList<Task>('tasks', paramsOf(place), {on: ['run', 'queue'], everyMs: 60_000});
  return (
    <>
      <Siblings place={place} active="tasks" />
      <Filters place={place} states={TASK_STATES} operation />
      <Panel title="Tasks, newest first">
        <ListTable caption="Tasks" list={list} keyOf={(row) => row.id} empty={<>No task is like this. The <a href="#/queue">queue</a> says what there is.</>}
          columns={[
            {head: 'Task', cell: (row) => <IdLink kind="task" id={row.id} />}, scope(), operation(),
            {head: 'State', cell: (row) => <State code={row.parked ? 'parked' : row.status} />},
            {head: 'Tries', isNumber: true, cell: (row) => count(row.leaseCount)},
            {head: 'Not before', isNumber: true, cell: (row) => (row.status === 'QUEUED' ? <When at={row.scheduledAt} /> : '–')},
            {head: 'Why', isWide: true, cell: (row) => row.waitReason ?? row.lastError ?? ''},
            {head: 'Owner', cell: (row) => row.leaseOwner ?? '–'},
            {head: 'Slice', cell: (row) => <IdLink kind="slice" id={row.slice} />},
          ]} />
      </Panel>
    </>
  );
}

export const RUN_COLUMNS: Column<Run>[] = [
  {head: 'Run', cell: (row) => <IdLink kind="run" id={row.id} />}, state(),
  {head: 'Try', isNumber: true, cell: (row) => row.attempt}, windowOf(),
  {head: 'Began', isNumber: true, cell: (row) => <When at={row.startedAt} />},
  {head: 'Took', isNumber: true, cell: (row) => between(row.startedAt, row.finishedAt)},
  {head: 'What went wrong', isWide: true, cell: (row) => row.error ?? ''},
];

export function RunsPage({place}: {place: Place}) {
  const list = useList<Run>('runs', paramsOf(place), {on: ['run'], everyMs: 60_000});
  return (
    <>
      <Siblings place={place} active="runs" />
      <Filters place={place} states={RUN_STATES} operation />
      <Panel title="Runs, newest first">
        <ListTable caption="Runs" list={list} keyOf={(row) => row.id} empty={<>No run is like this. Runs begin as soon as an executor takes a task.</>}
          columns={[RUN_COLUMNS[0]!, scope(), operation(), ...RUN_COLUMNS.slice(1)]} />
      </Panel>
    </>
  );
}

export const BATCH_COLUMNS: Column<Batch>[] = [
  {head: 'Batch', cell: (row) => <IdLink kind="batch" id={row.id} />},
  {head: 'No', isNumber: true, cell: (row) => row.number}, state(),
  {head: 'Page', isNumber: true, cell: (row) => (row.page === null ? '–' : row.page)},
  {head: 'Records', isNumber: true, cell: (row) => count(row.records)},
  {head: 'HTTP', isNumber: true, cell: (row) => statusOf(row) ?? '–'},
  {head: 'Bytes', isNumber: true, cell: (row) => bytes(row.rawBytes)},
  {head: 'Began', isNumber: true, cell: (row) => <Moment at={row.createdAt} />},
  {head: 'Took', isNumber: true, cell: (row) => between(row.createdAt, row.committedAt)},
  {head: 'Retries', isNumber: true, cell: (row) => {
    const retries = statsOf(row).retryCount;
    return <span class={retries ? 'warn' : ''}>{count(retries)}</span>;
  }},
  {head: 'Next', cell: (row) => {
    const {hasNext} = statsOf(row);
    return hasNext === undefined ? '–' : hasNext ? <code class="short" title={hintOf(row)}>{hintOf(row) ?? 'yes'}</code> : <span class="quiet">the last</span>;
  }},
  {head: 'Level', cell: (row) => (row.errorLevel ? <State code={row.errorLevel} /> : '')},
  {head: 'What went wrong', isWide: true, cell: (row) => row.error ?? ''},
];

interface BatchStats {
  retryCount?: number;
  hasNext?: boolean;
  nextHint?: unknown;
}

function statsOf(batch: Batch): BatchStats {
  return (batch.stats as BatchStats | null) ?? {};
}

// What its answer said of a next page, as it was kept.
export function hintOf(batch: Batch): string | undefined {
  const hint = statsOf(batch).nextHint;
  if (hint === null || hint === undefined) return undefined;
  if (typeof hint !== 'object') return String(hint);
  return Object.entries(hint).map(([name, value]) => `${name} ${String(value)}`).join(', ');
}

export function statusOf(batch: Batch): number | undefined {
  const status = (batch.response as {status?: unknown} | null)?.status;
  return typeof status === 'number' && status > 0 ? status : undefined;
}

export function BatchesPage({place}: {place: Place}) {
  const list = useList<Batch>('batches', paramsOf(place), {on: ['run'], everyMs: 60_000});
  return (
    <>
      <Siblings place={place} active="batches" />
      <Filters place={place} states={BATCH_STATES} operation />
      <Panel title="Batches, newest run first">
        <ListTable caption="Batches" list={list} keyOf={(row) => row.id} empty={<>No batch is like this. With a state, only the newest thousand are looked at.</>}
          columns={[BATCH_COLUMNS[0]!, scope(), ...BATCH_COLUMNS.slice(1)]} />
      </Panel>
    </>
  );
}
