// One task: who has it, what it waits for, what went wrong.
import {useAnswer, useList} from '../api/hooks';
import type {Run, TaskDetails} from '../api/types';
import {Action} from '../parts/action';
import {Facts, Fold, Json, Loading, Moment, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {Crumbs} from '../parts/crumbs';
import {ListTable} from '../parts/table';
import {TimelinePanel} from '../parts/timeline';
import {count} from '../words';
import {RUN_COLUMNS} from './lists';

export function TaskPage({id}: {id: string}) {
  const {data: task, error, reload} = useAnswer<TaskDetails>(`tasks/${id}`, {}, {on: ['run'], everyMs: 15_000});
  const runs = useList<Run>(task ? 'runs' : null, {task: id}, {on: ['run']});
  if (!task) return error ? <Trouble error={error} /> : <Loading />;
  const mayRequeue = ['FAILED', 'PARTIAL'].includes(task.status) || task.parked;
  const mayCancel = ['QUEUED', 'DISPATCHED', 'EXECUTING', 'FAILED'].includes(task.status);
  return (
    <>
      <Crumbs at="task" plan={task.plan} slice={task.slice} task={id} />
      <Panel title={`${task.operation} ${task.source}/${task.endpoint}`} aside={<State code={task.parked ? 'parked' : task.status} />}>
        {task.waitReason && <p class="warn"><strong>Waits:</strong> {task.waitReason}, until <When at={task.scheduledAt} /></p>}
        {task.lastError && <p class="bad"><strong>{task.lastErrorCode ?? 'Error'}:</strong> {task.lastError}</p>}
        <Facts of={[
          ['Source', <Scope source={task.source} endpoint={task.endpoint} />], ['Not before', <Moment at={task.scheduledAt} />], ['Priority', task.priority],
          ['Taken', `${count(task.leaseCount)} times`], ['Retries', count(task.retryCount)], ['Owner', task.leaseOwner ?? 'nobody'],
          ['Leased until', <When at={task.leasedUntil} />], ['Heartbeat', <When at={task.heartbeatAt} />], ['Fence', task.fence],
          ['Credential', task.credential], ['Began', <Moment at={task.startedAt} />], ['Ended', <Moment at={task.finishedAt} />],
        ]} />
        <p class="buttons">
          {mayRequeue && <Action label="Queue it again" tone="main" title="Queue this task again" button="Queue it" path={`tasks/${id}/requeue`} onDone={reload}
            what={<p>It goes on where it stopped, as soon as an executor takes it.</p>} />}
          {mayCancel && <Action label="Cancel the task" tone="danger" title="Withdraw this task" button="Withdraw it" path={`tasks/${id}/cancel`} onDone={reload}
            what={<p>Its part of the window is then not proven complete.</p>} />}
        </p>
      </Panel>
      <Panel title="Runs"><ListTable caption="Runs of this task" list={runs} keyOf={(run) => run.id} columns={RUN_COLUMNS} empty={<>No executor has taken it yet.</>} /></Panel>
      <TimelinePanel kind="tasks" id={id} />
      <Panel title="What it was given">
        <Fold title="Parameters"><Json value={task.params} label="parameters" /></Fold>
        <Fold title="Remarks"><Json value={task.remarks} label="remarks" /></Fold>
      </Panel>
    </>
  );
}
