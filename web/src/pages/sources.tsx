// What patra goes by: the definition as it is written, the snapshot that it is compiled into, and where each value came from.
import {useEffect, useState} from 'preact/hooks';
import {type ApiError, getText, post} from '../api/client';
import {useAnswer} from '../api/hooks';
import type {Page} from '../api/client';
import type {CompiledSource, Finding, Hold, Preview, PreviewPage, Source, SourceCheck} from '../api/types';
import {Action} from '../parts/action';
import {Empty, Facts, Fold, Json, Loading, Panel, State, Trouble, When} from '../parts/basic';
import {useMay} from '../parts/caller';
import {isOfWholeSource} from '../parts/hold';
import {Table} from '../parts/table';
import {type Place, linkTo, narrow} from '../route';
import {bytes, count} from '../words';

export function SourcesPage({place}: {place: Place}) {
  const [, name] = place.pieces;
  return name ? <One key={name} name={name} place={place} /> : <All />;
}

function All() {
  const {data, error} = useAnswer<Page<Source>>('sources');
  const check = useAnswer<SourceCheck>('sources/check');
  const diff = useAnswer<{changes: string[]}>('registry/diff');
  return (
    <>
      <Trouble error={error} />
      {!data && !error && <Loading />}
      {data && (
        <Panel title="Definitions">
          {data.items.length === 0 ? <Empty>There is no definition. <code>patra source init NAME</code> writes one to start from.</Empty> : (
            <Table caption="Definitions" rows={data.items} keyOf={(row) => row.source} columns={[
              {head: 'Source', cell: (row) => <a href={linkTo(['sources', row.source])}>{row.source}</a>}, {head: 'Name', isWide: true, cell: (row) => row.name},
              {head: 'Endpoints', isWide: true, cell: (row) => (row.abstract ? <span class="quiet">only extended by others</span> : row.endpoints.map((endpoint) => (
                <a key={endpoint} class="gap" href={linkTo(['sources', row.source], {endpoint})}>{endpoint} </a>)))},
              {head: 'Problems', isNumber: true, cell: (row) => <span class={row.problems ? 'bad' : ''}>{row.problems}</span>},
            ]} />
          )}
        </Panel>
      )}
      <Panel title="What is wrong with them"><Trouble error={check.error} />{check.data && <Findings of={check.data.findings} />}</Panel>
      <Panel title="What applying the folder would change">
        <Trouble error={diff.error} />
        {diff.data && (diff.data.changes.length === 0 ? <Empty>Nothing: the folder is in force as it is.</Empty> : <ul>{diff.data.changes.map((change) => <li key={change}>{change}</li>)}</ul>)}
        {diff.data && diff.data.changes.length > 0 && (
          <p class="buttons"><Action label="Apply" role="admin" tone="main" title="Put all of the folder's definitions in force" button="Apply" path="registry/apply" onDone={diff.reload}
            what={<p>The next plans go by them. Plans that are made keep their snapshots.</p>} /></p>)}
      </Panel>
    </>
  );
}

function Findings(props: {of: Finding[]}) {
  if (!props.of.length) return <Empty>Nothing is.</Empty>;
  return (
    <Table caption="Findings" rows={props.of} keyOf={(row) => `${row.file} ${row.line} ${row.path} ${row.message}`} columns={[
      {head: 'How grave', cell: (row) => <State code={row.severity.toUpperCase()} />}, {head: 'Where', cell: (row) => <code>{row.file.split('/').pop()}{row.line ? `:${row.line}` : ''}</code>},
      {head: 'What', isWide: true, cell: (row) => row.message}, {head: 'What to do', isWide: true, cell: (row) => row.fix},
    ]} />
  );
}

function One({name, place}: {name: string; place: Place}) {
  const sources = useAnswer<Page<Source>>('sources');
  const holds = useAnswer<Page<Hold>>('holds', {}, {everyMs: 30_000});
  const source = sources.data?.items.find((one) => one.source === name);
  const endpoint = place.query.endpoint ?? source?.endpoints[0];
  const compiled = useAnswer<CompiledSource>(source && !source.abstract ? `sources/${encodeURIComponent(name)}` : null, {endpoint});
  const hold = holds.data?.items.find((one) => one.source === name && isOfWholeSource(one) && one.kind === 'PAUSE');
  return (
    <>
      <nav class="crumbs" aria-label="The way up"><ol><li><a href="#/sources">sources</a></li><li aria-current="page">{name}</li></ol></nav>
      <Trouble error={sources.error} />
      {!sources.data && !sources.error && <Loading />}
      {compiled.isLoading && !compiled.data && <Loading />}
      {sources.data && !source && <Empty>There is no definition of this name in the folder.</Empty>}
      {source && (
        <Panel title={source.name || name} aside={hold ? <State code={hold.kind} tone="warn" /> : undefined}>
          {hold && <p class="warn">Paused since <When at={hold.since} /> by {hold.by}: {hold.reason}</p>}
          {!source.abstract && (
            <p class="buttons">
              <a class="button" href={linkTo(['backfill'], {source: `${name}/${endpoint}`})}>Fetch</a> <a class="button" href={linkTo(['certificate'], {source: name})}>Certificate</a>
              {hold ? <Action label="Resume" tone="main" title={`Let ${name} go on`} button="Resume" path="sources/resume" body={{target: name}} what={<p>It is planned and run again.</p>} onDone={holds.reload} />
                : <Action label="Pause" title={`Pause ${name}`} button="Pause" path="sources/pause" body={{target: name}} what={<p>No new plans, no new tasks, until somebody resumes it. What is under way ends.</p>} onDone={holds.reload} />}
            </p>
          )}
        </Panel>
      )}
      {source && !source.abstract && (
        <div class="filters"><label>Endpoint
          <select value={endpoint} onChange={(event) => narrow(place, {endpoint: event.currentTarget.value})}>{source.endpoints.map((one) => <option key={one}>{one}</option>)}</select></label></div>
      )}
      <Trouble error={compiled.error} />
      {compiled.data && (
        <>
          <Panel title="Each value, and where it came from"><Origins of={compiled.data} /></Panel>
          <Panel title="Findings"><Findings of={compiled.data.findings} /></Panel>
          <Panel title="The snapshot that plans are made of"><Fold title="Show it"><Json value={compiled.data.snapshot} label="snapshot" /></Fold></Panel>
        </>
      )}
      {source && !source.abstract && endpoint && <PreviewPanel key={endpoint} target={`${name}/${endpoint}`} />}
      {source && <Definition name={name} />}
    </>
  );
}

function Origins({of}: {of: CompiledSource}) {
  const [text, setText] = useState('');
  const rows = of.origins.filter((row) => `${row.path} ${row.is} ${row.from}`.toLowerCase().includes(text.toLowerCase()));
  return (
    <>
      <div class="filters"><label>Find<input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} placeholder="window, paging, platform …" /></label></div>
      <Table caption="Values and their origins" rows={rows} keyOf={(row) => row.path} columns={[
        {head: 'Value', cell: (row) => <code>{row.path}</code>}, {head: 'Is', isWide: true, cell: (row) => row.is}, {head: 'Set by', cell: (row) => <State code={row.from} tone={row.from === 'platform' ? 'none' : 'busy'} />},
        {head: 'Where', cell: (row) => <code title={row.where}>{row.where.split('/').pop()}</code>},
      ]} />
    </>
  );
}

function Definition({name}: {name: string}) {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<ApiError>();
  useEffect(() => {
    const abort = new AbortController();
    getText(`sources/${encodeURIComponent(name)}/definition`, abort.signal).then(setText, (problem) => abort.signal.aborted || setError(problem));
    return () => abort.abort();
  }, [name]);
  return <Panel title="The definition as it is written"><Trouble error={error} />{text !== undefined && <Json value={text} label="definition" />}</Panel>;
}

const PREVIEWED = 5;

// One page as a harvest would ask for it, by the definition that is applied; nothing of it is stored.
function PreviewPanel({target}: {target: string}) {
  const [form, setForm] = useState({from: '', to: ''});
  const [preview, setPreview] = useState<Preview>();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  if (!useMay()) return null;
  const ask = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const wishes = Object.fromEntries(Object.entries(form).filter(([, value]) => value));
      setPreview(await post<Preview>('previews', {source: target, records: PREVIEWED, ...wishes, reason: 'to see what it brings'}));
    } catch (problem) {
      setPreview(undefined);
      setError(problem as ApiError);
    }
    setBusy(false);
  };
  return (
    <Panel title="Preview" aside={preview && <span class="quiet">{preview.window}</span>}>
      <form class="filters" onSubmit={ask}>
        <label>From <input value={form.from} placeholder="-1d" onInput={(event) => setForm({...form, from: event.currentTarget.value})} /></label>
        <label>Until <input value={form.to} placeholder="now" onInput={(event) => setForm({...form, to: event.currentTarget.value})} /></label>
        <button type="submit" disabled={isBusy}>{isBusy ? 'Asking…' : 'Ask for one page'}</button>
        <span class="quiet">by the definition that is applied, through the gate; nothing is stored</span>
      </form>
      <Trouble error={error} />
      <div role="status">{preview?.warnings.map((warning) => <p key={warning} class="warn">{warning}</p>)}</div>
      {preview?.pages.map((page) => <Previewed key={page.what} page={page} />)}
    </Panel>
  );
}

function Previewed({page}: {page: PreviewPage}) {
  return (
    <section aria-label={page.what}>
      <h3>{page.what}</h3>
      <Facts of={[
        ['Request', <code>{page.method} {page.url}</code>], ['Answer', page.answer || 'none'], ['Records', `${count(page.records)} mapped, ${count(page.badRecords)} bad`],
        ['Announced', count(page.announced)], ['Next page', page.next ? <code>{page.next}</code> : '–'],
      ]} />
      {page.verdict && <p class="bad"><strong>No page:</strong> {page.verdict}</p>}
      {page.body && <Fold title="The body of the request"><Json value={page.body} label="body of the request" /></Fold>}
      {page.outline.length > 0 && <Fold title="Outline of the answer"><Json value={page.outline.join('\n')} label="outline" /></Fold>}
      {page.firstRecords.map((record) => (
        <section key={record.id} aria-label={`record ${record.id}`}>
          <h4>{record.id} <span class="quiet">{record.updatedAt}{record.deleted ? ', deleted' : ''}</span></h4>
          <div class="two">
            <div><p class="quiet">As it came{record.rawBytes > record.raw.length ? `, the first of ${bytes(record.rawBytes)}` : ''}</p><Json value={record.raw || null} label={`${record.id} as it came`} /></div>
            <div><p class="quiet">As it would be stored</p><Json value={record.fields} label={`${record.id} as it would be stored`} /></div>
          </div>
        </section>
      ))}
      {page.firstBad.length > 0 && <ul class="todo">{page.firstBad.map((bad) => <li key={bad} class="bad">{bad}</li>)}</ul>}
      {page.firstIds.length > 0 && <p>Ids: {page.firstIds.join(', ')}</p>}
    </section>
  );
}
