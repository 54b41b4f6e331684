// Is everything up to date, what is running, what waits and for what, what is broken, and what to do about it.
import {useAnswer, useLive} from '../api/hooks';
import type {AlertGlance, EndpointStatus, GateKey, Hold, QueueHistory, Status} from '../api/types';
import type {Page} from '../api/client';
import {Action} from '../parts/action';
import {Empty, Loading, Moment, Number, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {Sparkline} from '../parts/chart';
import {concerns, targetOf} from '../parts/hold';
import {type Column, Table} from '../parts/table';
import {linkTo} from '../route';
import {about, count, duration, moment, rate, share} from '../words';

const RATES_OVER = '2h';

export function stateOf(endpoint: EndpointStatus, holds: Hold[]): string {
  const hold = holds.find((one) => concerns(one, endpoint.source, endpoint.endpoint));
  if (hold) return hold.kind === 'FUSE' ? 'stopped' : 'paused';
  if (endpoint.slicesFailed > 0) return 'gaps';
  if (endpoint.running > 0) return 'running';
  if (endpoint.queued > 0) return endpoint.parked.length ? 'waiting' : 'queued';
  return endpoint.slicesPartial > 0 ? 'partial' : 'idle';
}

const TONES = {stopped: 'bad', paused: 'warn', gaps: 'bad', running: 'busy', waiting: 'wait', queued: 'wait', partial: 'warn', idle: 'none'} as const;

// Requests a second over the last hours, by endpoint.
type Rates = Map<string, number[]>;

function ratesIn(history: QueueHistory | undefined): Rates {
  return new Map((history?.items ?? []).map((series) => [`${series.source}/${series.endpoint}`, series.requestsPerSecond]));
}

function columnsOf(status: Status, rates: Rates, gate: Map<string, GateKey>): Column<EndpointStatus>[] {
  const keyOf = (row: EndpointStatus) => `${row.source}/${row.endpoint}`;
  return [
    {head: 'Endpoint', cell: (row) => <Scope source={row.source} endpoint={row.endpoint} />},
    {head: 'State', cell: (row) => {
      const state = stateOf(row, status.holds) as keyof typeof TONES;
      const isSlower = (gate.get(keyOf(row))?.sharePpm ?? 1_000_000) < 1_000_000;
      return <><State code={row.running > 0 && state === 'running' ? `${row.running} running` : state} tone={TONES[state]} />{isSlower && <> <State code="slower" /></>}</>;
    }},
    {head: 'Complete until', isNumber: true, cell: (row) => <a href={linkTo(['certificate'], {source: keyOf(row)})} title={row.watermark ?? undefined}>{moment(row.watermark).slice(0, 16)}</a>},
    {head: 'Lag', isNumber: true, cell: (row) => <span title={`now less the watermark: ${duration(row.lagSeconds)}`}>{about(row.lagSeconds)}</span>},
    {head: 'Newest record', isNumber: true, cell: (row) => <><When at={row.observedMax} />{row.freshness !== null && row.freshness.overdue > 0 && (
      <span class="warn" title={`nobody looked at them within ${about(row.freshness.withinSeconds)}`}> · {count(row.freshness.overdue)} overdue</span>)}</>},
    {head: 'Waiting', isNumber: true, cell: (row) => <a href={linkTo(['tasks'], {source: row.source, endpoint: row.endpoint, status: 'QUEUED'})}>{count(row.queued)}</a>},
    {head: 'Gaps', isNumber: true, cell: (row) => {
      const gaps = row.slicesFailed + row.slicesPartial;
      return gaps ? <a class="bad" href={linkTo(['slices'], {source: row.source, endpoint: row.endpoint, status: row.slicesFailed ? 'FAILED' : 'PARTIAL'})}>{count(gaps)}</a> : '0';
    }},
    {head: 'Quarantine', isNumber: true, cell: (row) => row.quarantineOpen
      ? <a class="warn" href={linkTo(['quarantine'], {source: row.source, status: 'OPEN'})}>{count(row.quarantineOpen)}</a> : '0'},
    {head: 'New today', isNumber: true, cell: (row) => <span title={`${count(row.lastDay.updated)} updated, ${count(row.lastDay.requests)} requests in 24 hours`}>{count(row.lastDay.inserted)}</span>},
    {head: 'Of its limit', isNumber: true, cell: ({rate: used}) => (used === null ? <span class="quiet" title="nothing was sent in the last minute">–</span> : (
      <span class="rate" title={`${rate(used.requestsPerSecond)} of ${rate(used.allowedPerSecond)} that ${used.key} allows, in the last minute`}>
        <a href={linkTo(['gate'], {key: used.key})}><meter min={0} max={1} value={used.share} aria-hidden="true" /> {share(used.share)}</a></span>))},
    {head: 'Requests', isNumber: true, cell: (row) => (
      <span class="rate"><Sparkline values={rates.get(keyOf(row)) ?? []} label={`requests a second of ${keyOf(row)} in the last ${RATES_OVER}`} />
        {rate(row.rate?.requestsPerSecond ?? 0)}</span>)},
    {head: 'Last run', cell: (row) => row.lastRun
      ? <a href={linkTo(['runs', row.lastRun.id])}><State code={row.lastRun.status} /> <When at={row.lastRun.startedAt} /></a> : '–'},
  ];
}

export function OverviewPage() {
  const asked = useAnswer<Status>('status', {}, {on: ['alerts'], everyMs: 60_000});
  const told = useLive<Status>('status');
  const history = useAnswer<QueueHistory>('queue/history', {from: `-${RATES_OVER}`, steps: 40}, {everyMs: 60_000});
  const gate = useAnswer<Page<GateKey>>('gate/keys', {}, {everyMs: 15_000});
  const rates = ratesIn(history.data);
  const status = newer(asked.data, told);
  if (!status) return asked.error ? <Trouble error={asked.error} /> : <Loading />;
  const sum = (of: (row: EndpointStatus) => number) => status.endpoints.reduce((total, row) => total + of(row), 0);
  const failed = sum((row) => row.slicesFailed);
  const partial = sum((row) => row.slicesPartial);
  const keys = new Map((gate.data?.items ?? []).map((key) => [key.key, key]));
  return (
    <>
      <Trouble error={asked.error} />
      <div class="numbers">
        <Number name="Alerts" value={count(status.alerts)} tone={status.alerts ? 'bad' : 'good'} href="#/alerts" note={status.alerts ? 'firing' : 'none fires'} />
        <Number name="Stopped or paused" value={count(status.holds.length)} tone={status.holds.length ? 'warn' : 'good'} />
        <Number name="Running" value={count(sum((row) => row.running))} href="#/tasks?status=EXECUTING" />
        <Number name="Waiting" value={`${count(sum((row) => row.queued))}`} href="#/queue" />
        <Number name="Slices with gaps" value={count(failed + partial)} tone={failed ? 'bad' : partial ? 'warn' : 'good'} href="#/slices?status=FAILED"
          note={`${count(failed)} given up, ${count(partial)} partial`} />
        <Number name="In quarantine" value={count(sum((row) => row.quarantineOpen))} tone={sum((row) => row.quarantineOpen) ? 'warn' : 'good'} href="#/quarantine?status=OPEN" />
        <Number name="Executors" value={count(status.executors)} tone={status.executors ? undefined : 'bad'} note={status.executors ? 'at work' : 'nobody works'} />
      </div>
      <Todo status={status} onDone={asked.reload} />
      <Panel title="Sources" aside={<span class="quiet">as of <Moment at={status.now} /> UTC</span>}>
        {status.endpoints.length === 0
          ? <Empty>Nothing was harvested yet. <a href="#/backfill">Plan the first harvest</a>, or wait for the <a href="#/schedule">daily one</a> of each source.</Empty>
          : <Table caption="Every endpoint that was harvested" columns={columnsOf(status, rates, keys)} rows={status.endpoints}
              keyOf={(row) => `${row.source}/${row.endpoint}`} />}
      </Panel>
      <Waits status={status} />
    </>
  );
}

function newer(one: Status | undefined, other: Status | undefined): Status | undefined {
  if (!one || !other) return one ?? other;
  return one.now > other.now ? one : other;
}

// What a person should do, and the way there.
function Todo(props: {status: Status; onDone: () => void}) {
  const {status} = props;
  if (!status.newestAlerts.length && !status.holds.length && !status.sharedCredentials.length) return null;
  return (
    <Panel title="Needs a person" aside={<a href="#/alerts">all alerts</a>}>
      <ul class="todo">
        {status.holds.map((hold) => (
          <li key={`${hold.kind} ${targetOf(hold)}`}>
            <State code={hold.kind} tone={hold.kind === 'FUSE' ? 'bad' : 'warn'} />
            <div><strong>{targetOf(hold)}</strong>: {hold.reason} <span class="quiet">since <When at={hold.since} />, by {hold.by}</span></div>
            {hold.kind === 'FUSE' ? (
              <Action label="Reset the fuse" title={`Let ${targetOf(hold)} go on`} button="Reset the fuse" path="fuses/reset" body={{target: targetOf(hold)}}
                what={<p>Its fuse has blown: {hold.reason}. Once it is reset, patra sends requests again. Say as reason what was mended.</p>} onDone={props.onDone} />
            ) : (
              <Action label="Resume" title={`Let ${targetOf(hold)} go on`} button="Resume" path="sources/resume" body={{target: targetOf(hold)}}
                what={<p>It is paused: {hold.reason}. It will be planned and run again.</p>} onDone={props.onDone} />
            )}
          </li>
        ))}
        {status.newestAlerts.filter((alert) => !alert.key.startsWith('fuse/')).map((alert: AlertGlance) => (
          <li key={alert.key}><State code="firing" /><div class="glance"><a href="#/alerts">{alert.key}</a>: {alert.message}</div></li>
        ))}
        {status.sharedCredentials.map((shared) => (
          <li key={`${shared.credential} ${shared.store}`}><State code="WARN" />
            <div>{shared.otherName} in {shared.store} sends with the same credential as {shared.credential}: their requests add up at the provider</div></li>
        ))}
      </ul>
    </Panel>
  );
}

function Waits(props: {status: Status}) {
  const waits = props.status.endpoints.flatMap((row) => row.parked.map((wait) => ({row, wait})));
  if (!waits.length) return null;
  return (
    <Panel title="What waits, and for what" aside={props.status.parkedIsCut ? <span class="quiet">there is more</span> : undefined}>
      <Table caption="Parked tasks by reason" rows={waits} keyOf={({row, wait}) => `${row.source}/${row.endpoint} ${wait.reason} ${wait.until}`}
        columns={[
          {head: 'Endpoint', cell: ({row}) => <Scope source={row.source} endpoint={row.endpoint} />},
          {head: 'Tasks', isNumber: true, cell: ({wait}) => count(wait.tasks)},
          {head: 'Until', isNumber: true, cell: ({wait}) => <When at={wait.until} />},
          {head: 'Why', isWide: true, cell: ({wait}) => wait.reason},
        ]} />
    </Panel>
  );
}
