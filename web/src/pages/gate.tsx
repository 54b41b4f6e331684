// What may be sent, what is sent, and why it is less at times.
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {useAnswer} from '../api/hooks';
import type {Page} from '../api/client';
import type {Adjustment, CompiledSource, GateKey, HealEntry} from '../api/types';
import {Action} from '../parts/action';
import {Empty, Loading, Moment, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {Chart} from '../parts/chart';
import {Table} from '../parts/table';
import {type Place, narrow} from '../route';
import {count, rate, share} from '../words';

const LOOK_EVERY_MS = 5_000;
const LOOKS_KEPT = 240;

interface Look {
  at: number; // seconds
  permits: Map<string, number>;
  shares: Map<string, number>;
}

interface RateLimit {
  rate?: {per: string; requests: number};
}

export function GatePage({place}: {place: Place}) {
  const {data, error, reload} = useAnswer<Page<GateKey>>('gate/keys', {}, {everyMs: LOOK_EVERY_MS});
  const looks = useLooks(data);
  const keys = data?.items ?? [];
  const chosen = keys.find((key) => key.key === place.query.key) ?? [...keys].sort((one, other) => (other.lastUsedAt ?? '').localeCompare(one.lastUsedAt ?? '')).find((key) => key.permits > 0);
  const blocked = (key: GateKey) => Boolean(key.blockedUntil && Date.parse(key.blockedUntil) > Date.now());
  return (
    <>
      <Trouble error={error} />
      {!data && !error && <Loading />}
      {chosen && <Rates gateKey={chosen} looks={looks} />}
      {data && (
        <Panel title="Allowances">
          {keys.length === 0 ? <Empty>Nothing was sent yet; allowances appear with the first request.</Empty> : (
            <Table caption="What the rate gate knows of each allowance" rows={keys} keyOf={(key) => key.key} rowClass={(key) => (key === chosen ? 'chosen' : '')} columns={[
              {head: 'Key', cell: (key) => <button type="button" class="plain" aria-pressed={key === chosen} onClick={() => narrow(place, {key: key.key})}>{key.key}</button>},
              {head: 'State', cell: (key) => (blocked(key) ? <State code="stopped" /> : key.sharePpm < 1_000_000 ? <State code="slower" /> : <State code="open" tone="good" />)},
              {head: 'Why', cell: (key) => (key.reason === 'NONE' ? '' : key.reason.toLowerCase().replaceAll('_', ' '))},
              {head: 'Until', isNumber: true, cell: (key) => (blocked(key) ? <When at={key.blockedUntil} /> : '')},
              {head: 'Share of the limit', isNumber: true, cell: (key) => <><meter min={0} max={1} value={key.sharePpm / 1e6} aria-hidden="true" /> {share(key.sharePpm / 1e6)}</>},
              {head: 'Under way', isNumber: true, cell: (key) => count(key.inFlight)},
              {head: 'Permits', isNumber: true, cell: (key) => count(key.permits)}, {head: 'Waits', isNumber: true, cell: (key) => count(key.waits)},
              {head: '429', isNumber: true, cell: (key) => <span class={key.throttled ? 'warn' : ''}>{count(key.throttled)}</span>},
              {head: 'Cuts', isNumber: true, cell: (key) => count(key.cuts)}, {head: 'Cool-downs', isNumber: true, cell: (key) => count(key.coolDowns)},
              {head: 'Breaks', isNumber: true, cell: (key) => count(key.openings)}, {head: 'Failures', isNumber: true, cell: (key) => count(key.failures)},
              {head: 'Used', isNumber: true, cell: (key) => <When at={key.lastUsedAt} />},
              {head: '', cell: (key) => (blocked(key) || key.sharePpm < 1_000_000) && (
                <Action label="Reset" title={`Reset ${key.key}`} button="Reset" path="gate/keys/reset" body={{key: key.key}} onDone={reload}
                  what={<p>Stops and slow-downs of {key.key} end at once. What was used stays used.</p>} />)},
            ]} />
          )}
        </Panel>
      )}
      <Quotas keys={keys} />
      <SlowDowns />
    </>
  );
}

// What each allowance had given out when it was looked at, while this page is open.
function useLooks(data: Page<GateKey> | undefined): Look[] {
  const [looks, setLooks] = useState<Look[]>([]);
  const last = useRef<Page<GateKey>>();
  useEffect(() => {
    if (!data || data === last.current) return;
    last.current = data;
    setLooks((before) => [...before, {
      at: Date.now() / 1_000,
      permits: new Map(data.items.map((key) => [key.key, key.permits])),
      shares: new Map(data.items.map((key) => [key.key, key.sharePpm / 1e6])),
    }].slice(-LOOKS_KEPT));
  }, [data]);
  return looks;
}

function secondsOf(per: string): number {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(per);
  if (!found) return NaN;
  const [, days, hours, minutes, seconds] = found.map((piece) => Number(piece ?? 0));
  return days! * 86_400 + hours! * 3_600 + minutes! * 60 + seconds!;
}

function Rates({gateKey, looks}: {gateKey: GateKey; looks: Look[]}) {
  const [source, endpoint] = gateKey.key.split('/');
  const isEndpoint = /^[\w-]+\/[\w-]+$/.test(gateKey.key);
  const compiled = useAnswer<CompiledSource>(isEndpoint && source ? `sources/${source}` : null, {endpoint});
  const limit = ((compiled.data?.snapshot as {rateLimits?: RateLimit[]} | undefined)?.rateLimits ?? [])
    .map((one) => (one.rate ? one.rate.requests / secondsOf(one.rate.per) : NaN)).filter((one) => one > 0).sort((one, other) => one - other)[0];
  const [times, values] = useMemo(() => {
    const at: number[] = [];
    const used: (number | null)[] = [];
    const allowed: (number | null)[] = [];
    for (let i = 1; i < looks.length; ++i) {
      const [before, after] = [looks[i - 1]!, looks[i]!];
      const sent = (after.permits.get(gateKey.key) ?? 0) - (before.permits.get(gateKey.key) ?? 0);
      at.push(after.at);
      used.push(Math.max(0, sent) / Math.max(0.1, after.at - before.at));
      allowed.push(limit ? limit * (after.shares.get(gateKey.key) ?? 1) : null);
    }
    return [at, [used, allowed]];
  }, [looks, limit, gateKey.key]);
  return (
    <Panel title={`Sent and allowed: ${gateKey.key}`} aside={<span class="quiet">while this page is open</span>}>
      {times.length < 2 ? <p class="quiet" role="status">The first points come within {(2 * LOOK_EVERY_MS) / 1_000 + 5} seconds.</p> : (
        <Chart label={`Requests a second of ${gateKey.key}, and what its limit allows`} times={times} values={values} format={rate}
          lines={[{name: 'sent', color: '--accent'}, {name: 'allowed', color: '--bad-line', isDashed: true, isStep: true}]} />
      )}
      {!limit && !compiled.isLoading && <p class="quiet">What this allowance allows stands in no definition of its own; its share of the limit stands below.</p>}
    </Panel>
  );
}

function Quotas({keys}: {keys: GateKey[]}) {
  const rows = keys.flatMap((key) => key.quotas.map((quota) => ({key, quota})));
  if (!rows.length) return null;
  return (
    <Panel title="Quotas">
      <Table caption="Quotas" rows={rows} keyOf={({key, quota}) => `${key.key} ${quota.from}`} columns={[
        {head: 'Key', cell: ({key}) => key.key}, {head: 'Used', isNumber: true, cell: ({quota}) => <><meter min={0} max={quota.allowed} value={quota.reserved} aria-hidden="true" /> {count(quota.reserved)}</>},
        {head: 'Allowed', isNumber: true, cell: ({quota}) => count(quota.allowed)}, {head: 'Begins anew', isNumber: true, cell: ({quota}) => <Moment at={quota.to} />},
      ]} />
    </Panel>
  );
}

function SlowDowns() {
  const adjustments = useAnswer<Page<Adjustment>>('heal/adjustments', {}, {everyMs: 30_000});
  const log = useAnswer<Page<HealEntry>>('heal/log', {limit: 50}, {everyMs: 30_000});
  return (
    <>
      <Panel title="What differs from the definitions for a while">
        <Trouble error={adjustments.error} />
        {adjustments.data?.items.length === 0 && <Empty>Everything goes by its definition.</Empty>}
        {adjustments.data && adjustments.data.items.length > 0 && (
          <Table caption="Adjustments" rows={adjustments.data.items} keyOf={(row) => `${row.source}/${row.endpoint} ${row.kind}`} columns={[
            {head: 'Endpoint', cell: (row) => <Scope source={row.source} endpoint={row.endpoint} />}, {head: 'What', cell: (row) => row.kind.toLowerCase().replaceAll('_', ' ')},
            {head: 'Is', cell: (row) => row.value}, {head: 'Until', isNumber: true, cell: (row) => <When at={row.until} />}, {head: 'Why', isWide: true, cell: (row) => row.reason},
            {head: '', cell: (row) => <Action label="Take back" title={`Go by the definition of ${row.source}/${row.endpoint} again`} button="Take back" path="heal/adjustments/take-back" onDone={adjustments.reload}
              body={{target: `${row.source}/${row.endpoint}`, kind: row.kind}} what={<p>{row.kind.toLowerCase().replaceAll('_', ' ')} is as the definition says again. Self-healing may change it anew.</p>} />},
          ]} />
        )}
      </Panel>
      <Panel title="What patra did by itself, newest first">
        <Trouble error={log.error} />
        {log.data?.items.length === 0 && <Empty>Nothing needed healing.</Empty>}
        {log.data && log.data.items.length > 0 && (
          <Table caption="The heal log" rows={log.data.items} keyOf={(row) => `${row.at} ${row.source}/${row.endpoint} ${JSON.stringify(row.did)}`} columns={[
            {head: 'When', isNumber: true, cell: (row) => <Moment at={row.at} />}, {head: 'Endpoint', cell: (row) => <Scope source={row.source} endpoint={row.endpoint} />},
            {head: 'Did', cell: (row) => String((row.did as {action?: string} | null)?.action ?? '').toLowerCase().replaceAll('_', ' ')},
            {head: 'Why', isWide: true, cell: (row) => String((row.did as {reason?: string} | null)?.reason ?? '')}, {head: 'Result', isWide: true, cell: (row) => row.result},
          ]} />
        )}
      </Panel>
    </>
  );
}
