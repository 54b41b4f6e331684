// What would it cost? Then: plan it. Nothing starts before somebody has seen the price.
import {useState} from 'preact/hooks';
import {ApiError, post} from '../api/client';
import type {PlanReport} from '../api/types';
import {Action} from '../parts/action';
import {Empty, Facts, IdLink, Number, Panel, Trouble} from '../parts/basic';
import {useMay} from '../parts/caller';
import {useSources} from '../parts/filters';
import type {Place} from '../route';
import {bytes, count, isoDuration, rate, share, stretch} from '../words';

const KINDS = {
  backfills: 'A stretch of the past (backfill)',
  harvests: 'What is new since the watermark (harvest)',
  gaps: 'Only what is not proven complete (backfill of gaps)',
  updates: 'Records that nobody has looked at for long (update)',
} as const;
type Kind = keyof typeof KINDS;

export function BackfillPage({place}: {place: Place}) {
  const sources = useSources();
  const [kind, setKind] = useState<Kind>('backfills');
  const [form, setForm] = useState<Record<string, string>>({source: place.query.source ?? ''});
  const [priced, setPriced] = useState<{body: Record<string, unknown>; path: string; report: PlanReport}>();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  if (!useMay()) return <Empty>Planning takes a token of the role operator. What is planned already stands under <a href="#/plans">plans and runs</a>.</Empty>;

  const set = (name: string) => (event: {currentTarget: {value: string}}) => {
    setForm({...form, [name]: event.currentTarget.value});
    setPriced(undefined);
  };
  const isBackfill = kind === 'backfills' || kind === 'gaps';
  const price = async (event: Event) => {
    event.preventDefault();
    const names = kind === 'updates' ? ['source', 'rate', 'stale', 'maxRequests'] : ['source', 'from', 'to', 'query', 'rate', 'spread', 'maxRequests'];
    const body: Record<string, unknown> = Object.fromEntries(names.filter((name) => form[name]).map((name) => [name, name === 'maxRequests' ? globalThis.Number(form[name]) : form[name]]));
    if (kind === 'gaps') body.gaps = true;
    if (kind === 'updates') body.stale = form.stale ?? '';
    if (form.again && kind !== 'gaps') body.again = true;
    const path = isBackfill ? 'backfills' : kind;
    setBusy(true);
    setError(undefined);
    try {
      setPriced({body, path, report: await post<PlanReport>(path, {...body, dryRun: true, reason: 'what would it cost'})});
    } catch (problem) {
      setPriced(undefined);
      setError(problem as ApiError);
    }
    setBusy(false);
  };
  return (
    <>
      <Panel title="What to fetch">
        <form class="form" onSubmit={price}>
          <label>What
            <select value={kind} onChange={(event) => (setKind(event.currentTarget.value as Kind), setPriced(undefined))}>
              {Object.entries(KINDS).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
            </select>
          </label>
          <label>Of
            <select required value={form.source} onChange={set('source')}>
              <option value="">choose an endpoint</option>
              {sources.flatMap((one) => one.endpoints.map((endpoint) => `${one.source}/${endpoint}`)).map((target) => <option key={target}>{target}</option>)}
            </select>
          </label>
          {kind !== 'updates' && <>
            <label>From <span class="quiet">2026-01-31 or -30d</span><input value={form.from ?? ''} required={kind === 'backfills'} onInput={set('from')} /></label>
            <label>Until <span class="quiet">excluded</span><input value={form.to ?? ''} required={kind === 'backfills'} onInput={set('to')} /></label>
            <label>Query <span class="quiet">in the provider's own syntax</span><input value={form.query ?? ''} onInput={set('query')} /></label>
          </>}
          {kind === 'updates' && <label>Not looked at for <span class="quiet">empty: as the definition says</span><input value={form.stale ?? ''} placeholder="30d" onInput={set('stale')} /></label>}
          <label>At most so fast <span class="quiet">beside the definition's limit</span><input value={form.rate ?? ''} placeholder="1/s" onInput={set('rate')} /></label>
          {kind !== 'updates' && <label>Spread the starts over<input value={form.spread ?? ''} placeholder="1h" onInput={set('spread')} /></label>}
          <label>At most so many requests<input type="number" min="1" value={form.maxRequests ?? ''} onInput={set('maxRequests')} /></label>
          {kind !== 'gaps' && <label class="check"><input type="checkbox" checked={Boolean(form.again)} onChange={(event) => (setForm({...form, again: event.currentTarget.checked ? 'yes' : ''}), setPriced(undefined))} /> also where the same plan exists already</label>}
          <p class="buttons"><button type="submit" class="main" disabled={isBusy}>{isBusy ? 'Asking…' : 'What would it cost?'}</button></p>
        </form>
        <Trouble error={error} />
      </Panel>
      {priced && <PriceTag {...priced} onPlanned={() => setPriced(undefined)} />}
    </>
  );
}

function PriceTag(props: {body: Record<string, unknown>; path: string; report: PlanReport; onPlanned: () => void}) {
  const {report} = props;
  const {price} = report;
  const [planned, setPlanned] = useState<PlanReport>();
  const isSomething = report.slices + report.triedAgain > 0;
  return (
    <Panel title="The price" aside={report.window && <span class="num">{stretch(report.window.from, report.window.to)}</span>}>
      {price && (
        <div class="numbers">
          <Number name="Slices" value={count(report.slices)} /> <Number name="Requests" value={`${price.requestsAreLeast ? '≥ ' : ''}${count(price.expectedRequests)}`} />
          <Number name="Takes" value={isoDuration(price.takes)} note={price.ratePerSecond ? `at ${rate(price.ratePerSecond)}` : undefined} />
          <Number name="Records" value={price.records === null ? 'unknown' : count(price.records)} />
          <Number name="Bytes" value={price.bytes === null ? 'unknown' : bytes(price.bytes)} /> <Number name="Of the quota" value={price.quotaPart === null ? 'no quota' : share(price.quotaPart)} />
        </div>
      )}
      {price && <p class="quiet">It rests on this: {price.basis}</p>}
      {report.reason && <p>{report.reason}</p>}
      {[...report.warnings, ...report.notes].map((note) => <p key={note} class="warn">{note}</p>)}
      {report.hint && <p class="quiet">{report.hint}</p>}
      {!isSomething && <Empty>There is nothing to fetch: {report.reason || 'it is there already, or is planned'}.</Empty>}
      {planned ? (
        <div role="status"><Facts of={[['Planned', planned.plan ? <IdLink kind="plan" id={planned.plan} whole /> : planned.reason || planned.kind.toLowerCase()], ['Slices', count(planned.slices)]]} /></div>
      ) : isSomething && (
        <p class="buttons"><Action<PlanReport> label="Plan it" tone="main" title={`Plan this of ${report.source}/${report.endpoint}`} button="Plan it" path={props.path} body={props.body} onDone={setPlanned}
          what={<p>{count(report.slices)} slices, {price ? `${count(price.expectedRequests)} requests` : ''} for about {isoDuration(price?.takes ?? null)}. Executors begin at once.</p>}
          outcome={(answer) => <>{answer.plan ? <>Plan <IdLink kind="plan" id={answer.plan} whole /></> : answer.reason || answer.kind.toLowerCase()}</>} /></p>
      )}
    </Panel>
  );
}
