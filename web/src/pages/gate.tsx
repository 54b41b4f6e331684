// What may be sent, what is sent, and why it is less at times.
import {useMemo} from 'preact/hooks';
import {useAnswer} from '../api/hooks';
import type {Page} from '../api/client';
import type {Adjustment, GateHistory, GateKey, GateSeries, HealEntry} from '../api/types';
import {Action} from '../parts/action';
import {Empty, Loading, Moment, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {Chart} from '../parts/chart';
import {Table} from '../parts/table';
import {type Place, narrow} from '../route';
import {count, rate, share} from '../words';

const LOOK_EVERY_MS = 5_000;
const LENGTHS = ['1h', '6h', '1d', '7d', '30d'];
const STEPS = 180;
const MOVES_SHOWN = 50;

export function GatePage({place}: {place: Place}) {
  const {data, error, reload} = useAnswer<Page<GateKey>>('gate/keys', {}, {everyMs: LOOK_EVERY_MS});
  const length = place.query.over ?? '6h';
  const keys = data?.items ?? [];
  const chosen = keys.find((key) => key.key === place.query.key) ?? [...keys].sort((one, other) => (other.lastUsedAt ?? '').localeCompare(one.lastUsedAt ?? '')).find((key) => key.permits > 0);
  const blocked = (key: GateKey) => Boolean(key.blockedUntil && Date.parse(key.blockedUntil) > Date.now());
  return (
    <>
      <Trouble error={error} />
      {!data && !error && <Loading />}
      {chosen && <Past gateKey={chosen} length={length} place={place} />}
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
                  what={<p>Stops and slow-downs of {key.key} end at once, and what waits for them is queued. What was used stays used.</p>} />)},
            ]} />
          )}
        </Panel>
      )}
      <Quotas keys={keys} />
      <SlowDowns source={sourceOf(chosen?.key)} length={length} />
    </>
  );
}

function sourceOf(key: string | undefined): string | undefined {
  return key && !key.startsWith('@') ? key.split(/[/#]/, 1)[0] : undefined;
}

interface Move {
  at: string;
  what: string[];
  sent: number;
  allowed: number | null;
  until: string | null;
}

// Where something made it slower, or stopped it.
function movesOf(series: GateSeries, at: string[]): Move[] {
  const times = (n: number, one: string, many: string) => (n === 0 ? [] : [n === 1 ? one : `${count(n)} ${many}`]);
  return at.map((moment, i) => ({
    at: moment, sent: series.requestsPerSecond[i]!, allowed: series.allowedPerSecond[i]!, until: series.stoppedUntil[i]!,
    what: [...times(series.throttled[i]!, 'told to be slower', 'times told to be slower'), ...times(series.failures[i]!, 'a failure', 'failures'),
      ...times(series.cuts[i]!, 'the rate was cut', 'cuts of the rate'), ...times(series.coolDowns[i]!, 'a cool-down', 'cool-downs'),
      ...times(series.openings[i]!, 'the breaker opened', 'openings of the breaker')],
  })).filter((move) => move.what.length > 0).reverse();
}

function Past({gateKey, length, place}: {gateKey: GateKey; length: string; place: Place}) {
  const {data, error} = useAnswer<GateHistory>('gate/history', {key: gateKey.key, from: `-${length}`, steps: STEPS}, {everyMs: 15_000});
  const series = data?.items[0];
  const [times, values] = useMemo(() => {
    if (!data || !series) return [[], []];
    const level = (i: number) => series.allowedPerSecond[i] ?? series.limitPerSecond[i] ?? 0;
    const marks = (of: number[]) => of.map((n, i) => (n > 0 ? level(i) : null));
    const stops = series.coolDowns.map((n, i) => n + series.openings[i]!);
    return [data.at.map((at) => Date.parse(at) / 1_000),
      [series.requestsPerSecond, series.allowedPerSecond, series.limitPerSecond, marks(series.cuts), marks(stops)]];
  }, [data, series]);
  const moves = data && series ? movesOf(series, data.at) : [];
  return (
    <>
      <Panel title={`Sent and allowed: ${gateKey.key}`} aside={
        <label class="inline">over <select aria-label="Over how long" value={length} onChange={(event) => narrow(place, {over: event.currentTarget.value})}>
          {LENGTHS.map((one) => <option key={one}>{one}</option>)}</select></label>}>
        <Trouble error={error} />
        {!data && !error && <Loading />}
        {data && !series?.requests.some((n) => n > 0) && <Empty>Nothing was sent under this key within {length}.</Empty>}
        {series?.requests.some((n) => n > 0) && (
          <Chart label={`Requests a second of ${gateKey.key}, what its limit allows, and what was allowed after complaints`} times={times} values={values} format={rate}
            lines={[{name: 'sent', color: '--accent'}, {name: 'allowed', color: '--bad-line', isDashed: true, isStep: true}, {name: 'limit', color: '--quiet', isThin: true, isStep: true},
              {name: 'rate cut', color: '--warn', isPoints: true}, {name: 'stopped', color: '--bad', isPoints: true}]} />
        )}
      </Panel>
      {moves.length > 0 && (
        <Panel title="What made it slower" aside={moves.length > MOVES_SHOWN ? <span class="quiet">{MOVES_SHOWN} of {count(moves.length)}</span> : undefined}>
          <Table caption={`What made ${gateKey.key} slower`} rows={moves.slice(0, MOVES_SHOWN)} keyOf={(move) => move.at} columns={[
            {head: 'From', isNumber: true, cell: (move) => <Moment at={move.at} />}, {head: 'What', isWide: true, cell: (move) => move.what.join(', ')},
            {head: 'Sent', isNumber: true, cell: (move) => rate(move.sent)}, {head: 'Allowed', isNumber: true, cell: (move) => rate(move.allowed)},
            {head: 'Stopped until', isNumber: true, cell: (move) => <Moment at={move.until} />},
          ]} />
        </Panel>
      )}
    </>
  );
}

function Quotas({keys}: {keys: GateKey[]}) {
  const rows = keys.flatMap((key) => key.quotas.map((quota) => ({key, quota})));
  if (!rows.length) return null;
  return (
    <Panel title="Quotas">
      <Table caption="Quotas" rows={rows} keyOf={({key, quota}) => `${key.key} ${quota.from}`} columns={[
        {head: 'Key', cell: ({key}) => key.key}, {head: 'Used', isNumber: true, cell: ({quota}) => <><meter min={0} max={quota.allowed} value={quota.reserved} aria-hidden="true" /> {count(quota.reserved)}</>},
        {head: 'Left', isNumber: true, cell: ({quota}) => <span class={quota.left === 0 ? 'bad' : ''}>{count(quota.left)}</span>},
        {head: 'Allowed', isNumber: true, cell: ({quota}) => count(quota.allowed)}, {head: 'Begins anew', isNumber: true, cell: ({quota}) => <><When at={quota.to} /> <span class="quiet"><Moment at={quota.to} /></span></>},
      ]} />
    </Panel>
  );
}

// `source`: of the key that is looked at; all, where it is of none.
function SlowDowns({source, length}: {source: string | undefined; length: string}) {
  const adjustments = useAnswer<Page<Adjustment>>('heal/adjustments', {}, {everyMs: 30_000});
  const log = useAnswer<Page<HealEntry>>('heal/log', {source, since: `-${length}`, limit: 50}, {everyMs: 30_000});
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
      <Panel title={`What patra did by itself${source ? ` about ${source}` : ''}, newest first`}>
        <Trouble error={log.error} />
        {log.data?.items.length === 0 && <Empty>Nothing needed healing within {length}.</Empty>}
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
