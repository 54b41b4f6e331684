// Records that could not be taken in: why, their bytes, and what becomes of them.
import {useEffect, useState} from 'preact/hooks';
import {useAnswer, useList} from '../api/hooks';
import type {Page} from '../api/client';
import type {Quarantined, QuarantineCount, QuarantinedRecord, Surroundings} from '../api/types';
import {Action} from '../parts/action';
import {Facts, IdLink, Json, Loading, Moment, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {useMay} from '../parts/caller';
import {Filters, TextFilter} from '../parts/filters';
import {ListTable, Table} from '../parts/table';
import {type Place, linkTo, narrow} from '../route';
import {bytes, count} from '../words';

const STATES = ['OPEN', 'APPROVED', 'REJECTED', 'RETRIED'];

interface Outcomes {
  items: {id: string; done: boolean; outcome: string | null; problem: string | null; hint: string | null}[];
}

const DEEDS = [
  {path: 'approve', label: 'Approve', what: 'They are taken into the store, with what can be mapped of them.'},
  {path: 'reject', label: 'Reject', what: 'They stay out for good.'},
  {path: 'retry', label: 'Retry', what: 'They are mapped with the present definition, or fetched again.'},
] as const;

function Decide(props: {body: Record<string, unknown>; subject: string; onDone: () => void; disabled?: boolean}) {
  return (
    <span class="buttons">
      {DEEDS.map((deed) => (
        <Action<Outcomes> key={deed.path} label={deed.label} tone={deed.path === 'reject' ? 'danger' : undefined} disabled={props.disabled} title={`${deed.label} ${props.subject}`} button={deed.label}
          path={`quarantine/${deed.path}`} body={props.body} what={<p>{deed.what}</p>} onDone={props.onDone} outcome={outcomeOf} />
      ))}
    </span>
  );
}

function outcomeOf(answer: Outcomes) {
  const done = answer.items.filter((item) => item.done).length;
  const problems = [...new Set(answer.items.filter((item) => !item.done).map((item) => [item.problem, item.hint].filter(Boolean).join(': ')))];
  return <>{count(done)} of {count(answer.items.length)} were decided.{problems.map((problem) => <span key={problem} class="bad"> {problem}</span>)}</>;
}

export function QuarantinePage({place}: {place: Place}) {
  const [, id] = place.pieces;
  return id ? <One id={id} /> : <Inbox place={place} />;
}

function Inbox({place}: {place: Place}) {
  const {endpoint, rule, path, itemId, status = 'OPEN'} = place.query;
  const source = place.query.source && endpoint ? `${place.query.source}/${endpoint}` : place.query.source;
  const list = useList<Quarantined>('quarantine', {source, rule, path, itemId, status}, {on: ['run'], everyMs: 30_000});
  const counts = useAnswer<Page<QuarantineCount>>('quarantine/counts', {source, status}, {on: ['run'], everyMs: 30_000});
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const may = useMay();
  useEffect(() => setChosen(new Set()), [JSON.stringify(place.query)]);
  const reload = () => (setChosen(new Set()), list.reload(), counts.reload());
  const toggle = (one: string, isChosen: boolean) => setChosen((before) => {
    const after = new Set(before);
    if (isChosen) after.add(one); else after.delete(one);
    return after;
  });
  const isNarrowed = Boolean(source || rule || path);
  return (
    <>
      <Filters place={{...place, query: {...place.query, status}}} states={STATES}>
        <TextFilter place={place} name="itemId" label="Record id" />
        {(rule || path) && <button type="button" onClick={() => narrow(place, {rule: '', path: ''})}>Any rule</button>}
      </Filters>
      {counts.data && counts.data.items.length > 0 && (
        <Panel title="By rule and path">
          <Table caption="Counts" rows={counts.data.items} keyOf={(row) => `${row.source}/${row.endpoint} ${row.rule} ${row.path}`} columns={[
            {head: 'Records', isNumber: true, cell: (row) => count(row.records)}, {head: 'Endpoint', cell: (row) => <Scope source={row.source} endpoint={row.endpoint} />},
            {head: 'Rule', cell: (row) => <a href={linkTo(['quarantine'], {source: row.source, endpoint: row.endpoint, rule: row.rule, path: row.path, status})}>{row.rule}</a>}, {head: 'Path', isWide: true, cell: (row) => <code>{row.path}</code>},
          ]} />
        </Panel>
      )}
      <Panel title="Inbox, newest first" aside={may && status === 'OPEN' && (chosen.size > 0
        ? <><span class="quiet">{count(chosen.size)} chosen</span> <Decide subject={`${chosen.size} records`} body={{ids: [...chosen]}} onDone={reload} /></>
        : isNarrowed && list.rows.length > 0
          ? <><span class="quiet">all that are like this</span> <Decide subject={`all of ${[source, rule, path].filter(Boolean).join(', ')}`} body={{all: true, source, rule, path}} onDone={reload} /></>
          : <span class="quiet">choose records, or narrow the list</span>)}>
        <ListTable caption="Quarantined records" list={list} keyOf={(row) => row.id} empty={<>Nothing is in quarantine here. Records come here when they break a rule of their definition.</>}
          columns={[
            ...(may && status === 'OPEN' ? [{head: '✓', cell: (row: Quarantined) => (
              <input type="checkbox" aria-label={`choose record ${row.itemId ?? row.id}`} checked={chosen.has(row.id)} onChange={(event) => toggle(row.id, event.currentTarget.checked)} />)}] : []),
            {head: 'Record', cell: (row) => <a href={linkTo(['quarantine', row.id])}>{row.itemId ?? 'without an id'}</a>},
            {head: 'Endpoint', cell: (row) => <Scope source={row.source} endpoint={row.endpoint} />}, {head: 'State', cell: (row) => <State code={row.status} />},
            {head: 'Rule', cell: (row) => row.rule}, {head: 'Path', cell: (row) => <code>{row.path}</code>}, {head: 'Reason', isWide: true, cell: (row) => row.reason},
            {head: 'Came', isNumber: true, cell: (row) => <When at={row.createdAt} />},
            ...(status === 'OPEN' ? [] : [{head: 'Decided', isWide: true, cell: (row: Quarantined) => `${row.decidedBy ?? ''}: ${row.decidedReason ?? ''}`}]),
          ]} />
      </Panel>
    </>
  );
}

function One({id}: {id: string}) {
  const {data: record, error, reload} = useAnswer<QuarantinedRecord>(`quarantine/${id}`);
  if (!record) return error ? <Trouble error={error} /> : <Loading />;
  return (
    <>
      <nav class="crumbs" aria-label="The way up"><ol><li><a href="#/quarantine">quarantine</a></li><li aria-current="page">{record.itemId ?? record.id}</li></ol></nav>
      <Panel title={record.itemId ?? 'A record without an id'} aside={<State code={record.status} />}>
        <p class="warn"><strong>{record.rule}</strong> at <code>{record.path || 'the page'}</code>: {record.reason}</p>
        <Facts of={[
          ['Source', <Scope source={record.source} endpoint={record.endpoint} />], ['Record', `no ${record.recordNo} of batch ${record.batchNo}`], ['Batch', <IdLink kind="batch" id={record.batch} />],
          ['Run', <IdLink kind="run" id={record.run} />], ['Slice', <IdLink kind="slice" id={record.slice} />], ['Fetched', <Moment at={record.fetchedAt} />], ['Bytes', count(record.bytes)],
          ['Decided', record.decidedAt ? <><Moment at={record.decidedAt} /> by {record.decidedBy}: {record.decidedReason}</> : 'not yet'],
        ]} />
        {record.status === 'OPEN' && <Decide subject={record.itemId ?? 'this record'} body={{ids: [id]}} onDone={reload} />}
      </Panel>
      <Panel title={record.isBase64 ? 'Its bytes, which are no text (base64)' : 'Its bytes'} aside={record.bodyIsCut ? <span class="quiet">the first of {bytes(record.bytes)}</span> : undefined}>
        <Json value={pretty(record)} label="bytes of the record" /></Panel>
      {(record.around || record.whyAlone) && (
        <Panel title="Around it in its page" aside={record.around ? <span class="quiet">at byte {count(record.around.offset)} of {count(record.around.pageBytes)}</span> : undefined}>
          {record.around ? <Around record={record} around={record.around} /> : <p class="quiet">{record.whyAlone}</p>}
        </Panel>
      )}
    </>
  );
}

const MIDDLE_SHOWN = 1_000;

// What the provider sent, byte for byte; the record stands out.
function Around({record, around}: {record: QuarantinedRecord; around: Surroundings}) {
  const middle = record.body.length > MIDDLE_SHOWN ? `${record.body.slice(0, MIDDLE_SHOWN / 2)} … ${record.body.slice(-MIDDLE_SHOWN / 2)}` : record.body;
  return (
    <pre class="json" tabIndex={0} role="region" aria-label="around the record in its page">
      {around.offset > around.before.length ? '… ' : ''}{around.before}<mark>{middle}</mark>{around.behind}{around.offset + record.bytes + around.behind.length < around.pageBytes ? ' …' : ''}
    </pre>
  );
}

function pretty(record: QuarantinedRecord): string {
  try {
    return record.isBase64 ? record.body : JSON.stringify(JSON.parse(record.body), null, 2);
  } catch {
    return record.body;
  }
}
