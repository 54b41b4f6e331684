// One plan: where its window stands, slice by slice.
import {useState} from 'preact/hooks';
import {useAnswer, useList} from '../api/hooks';
import type {Page} from '../api/client';
import type {PlanDetails, Run, Slice, SliceLineage, Trigger, ValueOrigin} from '../api/types';
import {Action} from '../parts/action';
import {Empty, Facts, Fold, IdLink, Json, Loading, Moment, Panel, Scope, State, type Tone, Trouble, toneOf} from '../parts/basic';
import {Crumbs} from '../parts/crumbs';
import {Legend, type Stretch, Strip, Years} from '../parts/strip';
import {ListTable, Table} from '../parts/table';
import {TimelinePanel} from '../parts/timeline';
import {linkTo} from '../route';
import {count, day, isoDuration, stretch} from '../words';
import {RUN_COLUMNS, SLICE_COLUMNS} from './lists';

const LEGEND: [Tone, string][] = [['good', 'succeeded'], ['busy', 'executing'], ['wait', 'ready or pending'], ['warn', 'partial'], ['bad', 'failed'], ['none', 'not sliced, cut anew or cancelled']];

// Wide ones first, so that the narrow ones that took over lie on top; finished work hides nothing that is open.
export function stretchesOf(slices: Slice[]): Stretch[] {
  return slices
    .filter((slice) => slice.windowFrom && slice.windowTo && slice.status !== 'CANCELLED')
    .map((slice) => ({
      from: Date.parse(slice.windowFrom!), to: Date.parse(slice.windowTo!), tone: toneOf(slice.status),
      name: `${slice.status.toLowerCase()}: ${stretch(slice.windowFrom, slice.windowTo)}${slice.gap ? `: ${slice.gap}` : ''}`,
      href: linkTo(['slices', slice.id]),
    }))
    .sort((one, other) => other.to - other.from - (one.to - one.from));
}

interface PlanRemarks {
  price?: {basis?: string; expectedRequests?: number; takes?: string; records?: number | null};
  warnings?: string[];
}

export function PlanPage({id}: {id: string}) {
  const {data: plan, error, reload} = useAnswer<PlanDetails>(`plans/${id}`, {}, {on: ['run'], everyMs: 30_000});
  const map = useAnswer<Page<Slice>>('slices', {plan: id, limit: 1000}, {everyMs: 20_000});
  if (!plan) return error ? <Trouble error={error} /> : <Loading />;
  const slices = map.data?.items ?? [];
  const from = plan.windowFrom ? Date.parse(plan.windowFrom) : NaN;
  const to = plan.windowTo ? Date.parse(plan.windowTo) : NaN;
  const remarks = plan.remarks as PlanRemarks;
  const isOver = ['COMPLETED', 'CANCELLED', 'FAILED'].includes(plan.status);
  const picture = {label: 'Slices of this plan by their state', from, to, stretches: stretchesOf(slices)};
  return (
    <>
      <Crumbs plan={id} at="plan" />
      <Panel title={`${plan.operation} ${plan.source}/${plan.endpoint}`} aside={<State code={plan.status} />}>
        <Facts of={[
          ['Source', <Scope source={plan.source} endpoint={plan.endpoint} />],
          ['Window', stretch(plan.windowFrom, plan.windowTo)], ['Sliced until', day(plan.slicedTo)],
          ['Strategy', plan.strategy.toLowerCase()], ['Priority', plan.priority],
          ['Slices', Object.entries(plan.slices as Record<string, number>).map(([state, n]) => <a key={state} class="gap" href={linkTo(['slices'], {plan: id, status: state})}>{count(n)} <State code={state} /></a>)],
          ['Price', remarks.price && `${count(remarks.price.expectedRequests)} requests, ${isoDuration(remarks.price.takes ?? null)}`],
          ['Made', <Moment at={plan.createdAt} />], ['Changed', <Moment at={plan.updatedAt} />],
        ]} />
        {remarks.warnings?.map((warning) => <p class="warn" key={warning}>{warning}</p>)}
        {remarks.price?.basis && <p class="quiet">The price rests on this: {remarks.price.basis}</p>}
        {!isOver && (
          <p class="buttons">
            <Action label="Cancel the plan" tone="danger" title="Withdraw this plan" button="Withdraw it" path={`plans/${id}/cancel`} onDone={reload}
              what={<p>All of its tasks that are not finished are withdrawn. What came stays; the window is then not proven complete.</p>}
              outcome={(answer: {slices: number; tasks: number}) => <>{count(answer.slices)} slices and {count(answer.tasks)} tasks were withdrawn.</>} />
          </p>
        )}
      </Panel>
      {plan.windowFrom && (
        <Panel title="Slices over time" aside={map.data?.next ? <span class="quiet">the newest thousand slices</span> : undefined}>
          {slices.length === 0 && !map.isLoading && <Empty>Nothing is sliced yet.</Empty>}
          <Strip {...picture} />
          {to - from > 45 * 86_400_000 && <Years {...picture} />}
          <Legend of={LEGEND} />
        </Panel>
      )}
      <Lineage plan={id} />
      <TimelinePanel kind="plans" id={id} />
      <Panel title="Why, and by what">
        {plan.trigger && <TriggerFold id={plan.trigger} />}
        <Fold title="The snapshot that it goes by"><Json value={plan.config} label="snapshot" /></Fold>
        <Fold title="Where each value of it came from"><Origins plan={id} /></Fold>
        <Fold title="Remarks"><Json value={plan.remarks} label="remarks" /></Fold>
      </Panel>
    </>
  );
}

function TriggerFold({id}: {id: string}) {
  const {data} = useAnswer<Trigger>(`triggers/${id}`);
  if (!data) return null;
  return <p>It was triggered <Moment at={data.firedAt} /> by {data.scheduler.toLowerCase()} ({data.type.toLowerCase()}).</p>;
}

function Origins({plan}: {plan: string}) {
  const {data, error} = useAnswer<Page<ValueOrigin>>(`plans/${plan}/origins`);
  if (!data) return error ? <Trouble error={error} /> : <Loading />;
  if (!data.items.length) return <Empty>The plan is older than that was kept.</Empty>;
  return (
    <Table caption="Origins" rows={data.items} keyOf={(row) => row.path} columns={[
      {head: 'Value', cell: (row) => <code>{row.path}</code>}, {head: 'Is', isWide: true, cell: (row) => row.value},
      {head: 'Set by', cell: (row) => row.level}, {head: 'Where', isWide: true, cell: (row) => row.place},
    ]} />
  );
}

// Slice, its task, its runs: unfolded one by one.
function Lineage({plan}: {plan: string}) {
  const list = useList<SliceLineage>(`plans/${plan}/lineage`, {limit: 20, runs: 5, batches: 1}, {everyMs: 20_000});
  const [open, setOpen] = useState<string>();
  const runs: Run[] = list.rows.find((row) => row.slice.id === open)?.runs.map((row) => row.run) ?? [];
  return (
    <Panel title="Slices, newest first" aside={<a href={linkTo(['slices'], {plan})}>as a list to narrow</a>}>
      <ListTable caption="Slices of this plan" list={list} keyOf={(row) => row.slice.id} empty={<>Nothing is sliced yet.</>}
        columns={[
          ...SLICE_COLUMNS.map((column) => ({...column, cell: (row: SliceLineage) => column.cell(row.slice)})),
          {head: 'Runs', cell: (row) => (row.runs.length === 0 ? 'none' : (
            <button type="button" class="plain" aria-expanded={open === row.slice.id} onClick={() => setOpen(open === row.slice.id ? undefined : row.slice.id)}>
              {row.runs.length}{row.moreRuns ? '+' : ''} {open === row.slice.id ? '▴' : '▾'}
            </button>))},
        ]} />
      {open && runs.length > 0 && (
        <div class="inner"><h3>Runs of slice <IdLink kind="slice" id={open} /></h3>
          <Table caption="Runs of the slice" rows={runs} keyOf={(run) => run.id} columns={RUN_COLUMNS} /></div>
      )}
    </Panel>
  );
}
