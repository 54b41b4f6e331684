// One slice: its part of the window, and whether what came adds up.
import {useAnswer, useList} from '../api/hooks';
import type {Run, Slice} from '../api/types';
import {Action} from '../parts/action';
import {Facts, Fold, IdLink, Json, Loading, Moment, Panel, Scope, State, Trouble} from '../parts/basic';
import {Crumbs} from '../parts/crumbs';
import {ListTable} from '../parts/table';
import {TimelinePanel} from '../parts/timeline';
import {count, stretch} from '../words';
import {RUN_COLUMNS} from './lists';

export function SlicePage({id}: {id: string}) {
  const {data: slice, error, reload} = useAnswer<Slice>(`slices/${id}`, {}, {on: ['run'], everyMs: 30_000});
  const runs = useList<Run>(slice ? 'runs' : null, {slice: id}, {on: ['run']});
  if (!slice) return error ? <Trouble error={error} /> : <Loading />;
  const isOver = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'PARTIAL'].includes(slice.status);
  return (
    <>
      <Crumbs at="slice" plan={slice.plan} slice={id} />
      <Panel title={`Slice ${slice.number} of ${slice.source}/${slice.endpoint}`} aside={<State code={slice.status} />}>
        {slice.gap && <p class="bad"><strong>Gap:</strong> {slice.gap}</p>}
        <Facts of={[
          ['Source', <Scope source={slice.source} endpoint={slice.endpoint} />], ['Window', stretch(slice.windowFrom, slice.windowTo)],
          ['Task', <IdLink kind="task" id={slice.task} />], ['Cut from', <IdLink kind="slice" id={slice.parent} />],
          ['Made', <Moment at={slice.createdAt} />], ['Closed', <Moment at={slice.closedAt} />],
        ]} />
        {!isOver && <p class="buttons"><Action label="Cancel the slice" tone="danger" title="Withdraw this slice" button="Withdraw it" path={`slices/${id}/cancel`} onDone={reload}
          what={<p>Its task is withdrawn; its part of the window is then not proven complete.</p>} /></p>}
      </Panel>
      <Panel title="What came, and what became of it">
        <Facts of={[
          ['Announced', count(slice.announced)], ['Received', count(slice.received)], ['Missing', <span class={slice.missing ? 'bad' : ''}>{count(slice.missing)}</span>],
          ['New', count(slice.inserted)], ['Updated', count(slice.updated)], ['Unchanged', count(slice.unchanged)], ['Older than what is here', count(slice.stale)],
          ['Quarantined', count(slice.quarantined)], ['Filtered', count(slice.filtered)], ['Repeated', count(slice.repeated)],
        ]} />
      </Panel>
      <Panel title="Runs"><ListTable caption="Runs of this slice" list={runs} keyOf={(run) => run.id} columns={RUN_COLUMNS} empty={<>No executor has taken it yet.</>} /></Panel>
      <TimelinePanel kind="slices" id={id} />
      <Panel title="How it is asked for">
        <Fold title="Expression"><Json value={slice.expression} label="expression" /></Fold>
        <Fold title="Remarks"><Json value={slice.remarks} label="remarks" /></Fold>
      </Panel>
    </>
  );
}
