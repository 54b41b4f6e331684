// One request and all that it brought: what was sent, what came, what was decided, and the same once more to compare.
import {useState} from 'preact/hooks';
import {useAnswer} from '../api/hooks';
import type {BatchDetails, CursorStep, Replay} from '../api/types';
import {Action} from '../parts/action';
import {Empty, Facts, Json, Loading, Moment, Panel, Scope, State, Trouble} from '../parts/basic';
import {Crumbs} from '../parts/crumbs';
import {Table} from '../parts/table';
import {TimelinePanel} from '../parts/timeline';
import {linkTo} from '../route';
import {between, bytes, count, duration, moment, stretch} from '../words';
import {statusOf} from './lists';

interface Rate {
  decision?: string; reason?: string; waitMs?: number; permitCost?: number; limitKey?: string; until?: string;
  r?: number; burst?: number; share?: number; cooldownUntil?: string; circuitOpenUntil?: string;
}

interface Response {
  rate?: Rate; parked?: Rate; firstBytes?: string;
  quota?: {remaining?: number; limit?: number; windowReset?: string};
}

interface Failure {at: string; level: string; status?: number; reason: string; backoffMs: number}

interface Version {updatedAt?: string; version?: number; deleted?: boolean}

interface Decision {id: string; decision: string; from: Version | null; to: Version}

interface Stats {
  reqCount?: number; retryCount?: number; '429Count'?: number; waitTotalMs?: number; backoffTotalMs?: number;
  selfHealing?: Record<string, boolean>; errors?: Failure[]; decisions?: Decision[];
}

export function BatchPage({id}: {id: string}) {
  const {data: batch, error} = useAnswer<BatchDetails>(`batches/${id}`, {}, {everyMs: 30_000});
  const [replay, setReplay] = useState<Replay>();
  const [fromRaw, setFromRaw] = useState(false);
  if (!batch) return error ? <Trouble error={error} /> : <Loading />;
  const response = batch.response as Response | null;
  const stats = (batch.stats ?? {}) as Stats;
  return (
    <>
      <Crumbs at="batch" plan={batch.plan} slice={batch.slice} task={batch.task} run={batch.run} batch={id} />
      <Panel title={`Batch ${batch.number} of ${batch.source}/${batch.endpoint}`} aside={<>{batch.errorLevel && <State code={batch.errorLevel} />} <State code={batch.status} /></>}>
        {batch.error && <p class="bad"><strong>{batch.errorLevel ?? 'Decided'}:</strong> {batch.error}</p>}
        <Facts of={[
          ['Source', <Scope source={batch.source} endpoint={batch.endpoint} />], ['Records', count(batch.records)], ['HTTP', statusOf(batch)],
          ['Bytes', bytes(batch.rawBytes)], ['Page', batch.page === null ? '–' : `${batch.page}, of ${batch.pageSize}`],
          ['Token before', batch.beforeToken ? <code>{batch.beforeToken}</code> : '–'],
          ['Where the next begins', batch.after ? <code>{typeof batch.after === 'string' ? batch.after : JSON.stringify(batch.after)}</code> : batch.status === 'SUCCEEDED' ? 'nowhere: it is the last' : '–'],
          ['Times of its records', stretch(batch.timeFrom, batch.timeTo)], ['Began', <Moment at={batch.createdAt} />],
          ['Committed', <Moment at={batch.committedAt} />], ['Took', between(batch.createdAt, batch.committedAt)],
          ['Requests sent', stats.reqCount === undefined ? '–' : `${count(stats.reqCount)}, of them ${count(stats.retryCount)} retries; ${count(stats['429Count'])} times told to slow down`],
          ['Waited', stats.waitTotalMs === undefined ? '–' : `${millis(stats.waitTotalMs)} for permits, ${millis(stats.backoffTotalMs)} between tries`],
          ['Self-healing', healed(stats.selfHealing)],
          ['Made by', <>snapshot <code>{batch.fingerprint.slice(0, 12)}</code>, expression <code>{batch.exprHash.slice(0, 12)}</code>, slice <code>{batch.signature.slice(0, 12)}</code></>],
        ]} />
        {batch.run && (
          <p class="buttons">
            <Action<Replay> label="Replay" tone="main" title="Ask for this batch once more" button="Replay" path="replays" body={{run: batch.run, batch: id, fromRaw, mode: 'report'}}
              what={<p>The same request is made again and what comes is compared with what is stored. Nothing is written.</p>}
              fields={<label class="check"><input type="checkbox" checked={fromRaw} onChange={(event) => setFromRaw(event.currentTarget.checked)} />
                compare with the page that is kept, and send nothing</label>}
              onDone={setReplay} outcome={(answer) => <>{answer.verdict}. The report stands on the page.</>} />
          </p>
        )}
      </Panel>
      {replay && <ReplayPanel replay={replay} />}
      <div class="two">
        <Panel title="Request"><Json value={batch.request} label="request" /></Panel>
        <Panel title="Response"><Json value={batch.response} label="response" /></Panel>
      </div>
      {response?.firstBytes && <Panel title="How the answer begins"><Json value={response.firstBytes} label="first bytes of the answer" /></Panel>}
      <GatePanel response={response} />
      {(stats.errors ?? []).length > 0 && (
        <Panel title="What failed">
          <Table<Failure> caption="requests that brought no page" rows={stats.errors!} keyOf={(failed) => failed.at + failed.reason} columns={[
            {head: 'At', cell: (failed) => <Moment at={failed.at} />}, {head: 'Level', cell: (failed) => <State code={failed.level} />},
            {head: 'HTTP', isNumber: true, cell: (failed) => failed.status ?? '–'}, {head: 'Again after', isNumber: true, cell: (failed) => millis(failed.backoffMs)},
            {head: 'Why', isWide: true, cell: (failed) => failed.reason},
          ]} />
        </Panel>
      )}
      {(stats.decisions ?? []).length > 0 && (
        <Panel title="The first decisions about records">
          <Table<Decision> caption="the first decisions" rows={stats.decisions!} keyOf={(decision) => decision.id} columns={[
            {head: 'Record', isWide: true, cell: (decision) => <code>{decision.id}</code>}, {head: 'Decision', cell: (decision) => decision.decision.toLowerCase()},
            {head: 'Stored version', cell: (decision) => version(decision.from)}, {head: 'Version that came', cell: (decision) => version(decision.to)},
          ]} />
        </Panel>
      )}
      {batch.cursorEvents.length > 0 && (
        <Panel title="What it moved">
          <Table<CursorStep> caption="steps of cursors" rows={batch.cursorEvents} keyOf={(step) => step.id} columns={[
            {head: 'Cursor', cell: (step) => step.key}, {head: 'Direction', cell: (step) => <State code={step.direction} />},
            {head: 'From', cell: (step) => step.before ?? '–'}, {head: 'To', cell: (step) => step.after},
            {head: 'Because', isWide: true, cell: (step) => <code>{JSON.stringify(step.remarks)}</code>},
          ]} />
        </Panel>
      )}
      <Panel title="Counted"><Json value={batch.stats} label="stats" /></Panel>
      {batch.status === 'SUCCEEDED' && batch.records > 0 && (
        <p><a href={linkTo(['records'], {source: batch.source, endpoint: batch.endpoint})}>Records of {batch.source}/{batch.endpoint}</a></p>
      )}
      <TimelinePanel kind="batches" id={id} />
    </>
  );
}

function millis(value: number | undefined): string {
  return value === undefined ? '–' : duration(value / 1_000);
}

// What self-healing had in force, or did.
function healed(actions: Record<string, boolean> | undefined): string {
  const taken = Object.entries(actions ?? {}).filter(([, is]) => is).map(([name]) => name);
  return taken.length > 0 ? taken.join(', ') : '–';
}

function version(of: Version | null): string {
  if (!of) return '–';
  return [moment(of.updatedAt), of.version ? `v${of.version}` : '', of.deleted ? 'deleted' : ''].filter(Boolean).join(' ');
}

function decided(rate: Rate | undefined): string {
  if (!rate?.decision) return '–';
  const why = rate.reason && rate.reason !== 'NONE' ? ` (${rate.reason.toLowerCase().replaceAll('_', ' ')})` : '';
  return `${rate.decision.toLowerCase()} after ${millis(rate.waitMs)}${why} at ${rate.limitKey}${rate.until ? `, again at ${moment(rate.until)}` : ''}`;
}

// How the way to the provider stood, and what it was asked for.
function GatePanel({response}: {response: Response | null}) {
  const {rate, parked, quota} = response ?? {};
  if (!rate && !parked) return null;
  const now = parked ?? rate!;
  return (
    <Panel title="The gate">
      <Facts of={[
        ['Decision', decided(rate)], ['Then', decided(parked)],
        ['Rate', now.r === undefined ? '–' : `${count(now.r)} a second, ${count(now.burst)} at once${now.share === undefined ? '' : `; ${Math.round(now.share * 100)} % of what is configured`}`],
        ['Cool-down until', moment(now.cooldownUntil)], ['Circuit open until', moment(now.circuitOpenUntil)],
        ['Quota', quota ? `${quota.remaining ?? '?'} of ${quota.limit ?? '?'} left${quota.windowReset ? ` until ${moment(quota.windowReset)}` : ''}` : '–'],
      ]} />
    </Panel>
  );
}

function ReplayPanel({replay}: {replay: Replay}) {
  return (
    <Panel title="Replay" aside={<strong>{replay.verdict}</strong>}>
      {replay.refused && <p class="bad">{replay.refused}</p>}
      {replay.reason && <p>{replay.reason}</p>}
      <Facts of={[['Position', replay.position], ['Window', replay.window],
        ['Made by', replay.hashes.map((hash) => `${hash.of} ${hash.now.slice(0, 12)}`).join(', ')], ['From', replay.fromRaw ? 'the page that is kept' : 'the provider'],
        ...Object.entries(replay.counts as Record<string, number>).map(([name, n]): [string, string] => [name, count(n)])]} />
      {replay.differences.length === 0 ? <Empty>No record differs.</Empty> : <Json value={replay.differences} label="differences" />}
      <div class="two"><div><h3>Recorded then</h3><Json value={replay.recorded} label="recorded then" /></div><div><h3>Got now</h3><Json value={replay.got} label="got now" /></div></div>
    </Panel>
  );
}
