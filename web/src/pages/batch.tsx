// One request and all that it brought: what was sent, what came, what was decided, and the same once more to compare.
import {useState} from 'preact/hooks';
import {useAnswer} from '../api/hooks';
import type {Batch, Replay} from '../api/types';
import {Action} from '../parts/action';
import {Empty, Facts, Json, Loading, Moment, Panel, Scope, State, Trouble} from '../parts/basic';
import {Crumbs} from '../parts/crumbs';
import {TimelinePanel} from '../parts/timeline';
import {linkTo} from '../route';
import {between, bytes, count, stretch} from '../words';
import {statusOf} from './lists';

interface Response {
  rate?: {decision?: string; reason?: string; waitMs?: number; permitCost?: number; limitKey?: string};
}

export function BatchPage({id}: {id: string}) {
  const {data: batch, error} = useAnswer<Batch>(`batches/${id}`, {}, {everyMs: 30_000});
  const [replay, setReplay] = useState<Replay>();
  const [fromRaw, setFromRaw] = useState(false);
  if (!batch) return error ? <Trouble error={error} /> : <Loading />;
  const gate = (batch.response as Response | null)?.rate;
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
          ['The gate', gate?.decision ? `${gate.decision.toLowerCase()} ${gate.waitMs ?? 0} ms (${(gate.reason ?? '').toLowerCase()}) at ${gate.limitKey}` : '–'],
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
      <Panel title="Counted"><Json value={batch.stats} label="stats" /></Panel>
      {batch.status === 'SUCCEEDED' && batch.records > 0 && (
        <p><a href={linkTo(['records'], {source: batch.source, endpoint: batch.endpoint})}>Records of {batch.source}/{batch.endpoint}</a></p>
      )}
      <TimelinePanel kind="batches" id={id} />
    </>
  );
}

function ReplayPanel({replay}: {replay: Replay}) {
  return (
    <Panel title="Replay" aside={<strong>{replay.verdict}</strong>}>
      {replay.refused && <p class="bad">{replay.refused}</p>}
      {replay.reason && <p>{replay.reason}</p>}
      <Facts of={[['Position', replay.position], ['Window', replay.window], ['From', replay.fromRaw ? 'the page that is kept' : 'the provider'],
        ...Object.entries(replay.counts as Record<string, number>).map(([name, n]): [string, string] => [name, count(n)])]} />
      {replay.differences.length === 0 ? <Empty>No record differs.</Empty> : <Json value={replay.differences} label="differences" />}
      <div class="two"><div><h3>Recorded then</h3><Json value={replay.recorded} label="recorded then" /></div><div><h3>Got now</h3><Json value={replay.got} label="got now" /></div></div>
    </Panel>
  );
}
