// What fires by itself, and what came of it.
import {useAnswer, useList} from '../api/hooks';
import type {Page} from '../api/client';
import type {Execution, Job, Occurrence} from '../api/types';
import {Action} from '../parts/action';
import {Facts, Fold, IdLink, Json, Loading, Moment, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {Filters} from '../parts/filters';
import {type Column, ListTable} from '../parts/table';
import {type Place, linkTo} from '../route';
import {count, moment} from '../words';

const EXECUTION_COLUMNS: Column<Execution>[] = [
  {head: 'Job', cell: (row) => <a href={linkTo(['schedule', row.job])}>{row.job}</a>}, {head: 'State', cell: (row) => <State code={row.status} />},
  {head: 'Due', isNumber: true, cell: (row) => <Moment at={row.firedAt} />}, {head: 'Ended', isNumber: true, cell: (row) => <When at={row.finishedAt} />},
  {head: 'Why', isWide: true, cell: (row) => row.reason ?? (row.type === 'MANUAL' ? 'somebody fired it' : '')},
  {head: 'Received', isNumber: true, cell: (row) => count(row.received)}, {head: 'New', isNumber: true, cell: (row) => count(row.inserted)},
  {head: 'Updated', isNumber: true, cell: (row) => count(row.updated)}, {head: 'Requests', isNumber: true, cell: (row) => count(row.requests)}, {head: 'Plan', cell: (row) => <IdLink kind="plan" id={row.plan} />},
];

export function SchedulePage({place}: {place: Place}) {
  const [, name] = place.pieces;
  return name ? <OneJob name={name} /> : <AllJobs place={place} />;
}

function Buttons(props: {job: Job; onDone: () => void}) {
  const {job} = props;
  const path = `jobs/${encodeURIComponent(job.job)}`;
  return (
    <span class="buttons">
      <Action<Execution> label="Fire now" title={`Fire ${job.job} now`} button="Fire it" path={`${path}/trigger`} onDone={props.onDone} what={<p>{job.operation} of {job.source} is planned at once, whatever the timetable says.</p>}
        outcome={(answer) => <>It is {answer.status.toLowerCase()}{answer.reason ? `: ${answer.reason}` : ''}.</>} />
      {job.enabled
        ? <Action label="Disable" title={`Disable ${job.job}`} button="Disable" path={`${path}/disable`} onDone={props.onDone} what={<p>It fires no more until somebody enables it.</p>} />
        : <Action label="Enable" title={`Enable ${job.job}`} button="Enable" path={`${path}/enable`} onDone={props.onDone} what={<p>It fires by its timetable again: {job.cron} ({job.timezone}).</p>} />}
    </span>
  );
}

function AllJobs({place}: {place: Place}) {
  const {source, status} = place.query;
  const jobs = useList<Job>('jobs', {source, limit: 500}, {on: ['run'], everyMs: 30_000});
  const executions = useList<Execution>('executions', {status, limit: 50}, {on: ['run'], everyMs: 30_000});
  return (
    <>
      <Filters place={place} states={['PENDING', 'RUNNING', 'SUCCESS', 'FAILED', 'SKIPPED']} />
      <Panel title="Jobs">
        <ListTable caption="Jobs" list={jobs} keyOf={(row) => row.job} empty={<>Nothing fires by itself. A service with the role <code>scheduler</code> gives every source a daily harvest.</>}
          columns={[
            {head: 'Job', cell: (row) => <a href={linkTo(['schedule', row.job])}>{row.job}</a>}, {head: 'State', cell: (row) => <span title={row.disabledReason ?? undefined}><State code={row.enabled ? 'enabled' : 'disabled'} /></span>},
            {head: 'What', cell: (row) => <>{row.operation.toLowerCase()} <Scope source={row.source} endpoint={row.endpoint} /></>}, {head: 'When', cell: (row) => <code title={row.timezone}>{row.cron}</code>},
            {head: 'Next', isNumber: true, cell: (row) => <When at={row.nextFiringAt} />}, {head: 'Last', isNumber: true, cell: (row) => <When at={row.lastFiringAt} />},
            {head: 'Came of it', cell: (row) => (row.last ? <State code={(row.last as Execution).status} /> : '–')}, {head: 'Made by', cell: (row) => row.origin.toLowerCase()}, {head: '', cell: (row) => <Buttons job={row} onDone={() => (jobs.reload(), executions.reload())} />},
          ]} />
      </Panel>
      <Panel title="Executions, newest first"><ListTable caption="Executions" list={executions} keyOf={(row) => row.execution} columns={EXECUTION_COLUMNS} empty={<>Nothing has fired yet.</>} /></Panel>
    </>
  );
}

function OneJob({name}: {name: string}) {
  const {data: job, error, reload} = useAnswer<Job>(`jobs/${encodeURIComponent(name)}`, {}, {everyMs: 30_000});
  const next = useAnswer<Page<Occurrence>>(`jobs/${encodeURIComponent(name)}/next`, {count: 10});
  const executions = useList<Execution>('executions', {job: name, limit: 50}, {on: ['run']});
  if (!job) return error ? <Trouble error={error} /> : <Loading />;
  return (
    <>
      <nav class="crumbs" aria-label="The way up"><ol><li><a href="#/schedule">schedule</a></li><li aria-current="page">{job.job}</li></ol></nav>
      <Panel title={job.job} aside={<State code={job.enabled ? 'enabled' : 'disabled'} />}>
        {job.disabledReason && <p class="warn">{job.disabledReason}</p>}
        <Facts of={[
          ['What', <>{job.operation.toLowerCase()} <Scope source={job.source} endpoint={job.endpoint} /></>], ['When', <code>{job.cron}</code>], ['Time zone', job.timezone], ['Jitter', job.jitter],
          ['Missed ones', job.misfire === 'ONCE' ? 'are made up for once' : 'are left out'], ['Next', <Moment at={job.nextFiringAt} />], ['Last', <Moment at={job.lastFiringAt} />], ['Query', job.query], ['Made by', job.origin.toLowerCase()],
        ]} />
        <Fold title="Arguments"><Json value={job.arguments} label="arguments" /></Fold>
        <p><Buttons job={job} onDone={() => (reload(), executions.reload())} /></p>
      </Panel>
      <Panel title={job.enabled ? 'Next firings' : 'It would fire, were it enabled'}>
        <Trouble error={next.error} />
        <ol class="plainlist">{next.data?.items.map((one) => <li key={one.at}><span class="num">{moment(one.at)}</span> UTC <span class="quiet">{one.local}</span></li>)}</ol>
      </Panel>
      <Panel title="Executions, newest first"><ListTable caption="Executions" list={executions} keyOf={(row) => row.execution} columns={EXECUTION_COLUMNS} empty={<>It has not fired yet.</>} /></Panel>
    </>
  );
}
