// What is in the store, and which request wrote it. Whatever a record holds is text here.
import {useAnswer, useList} from '../api/hooks';
import type {Item, ItemWhy} from '../api/types';
import {Empty, Facts, IdLink, Json, Loading, Moment, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {Choice, Filters, TextFilter} from '../parts/filters';
import {ListTable, Table} from '../parts/table';
import {type Place, linkTo} from '../route';
import {moment, stretch} from '../words';

export function RecordsPage({place}: {place: Place}) {
  const [, source, endpoint, id] = place.pieces;
  return source && endpoint && id ? <One source={source} endpoint={endpoint} id={id} /> : <All place={place} />;
}

// The title of a record, or whatever text it has first.
function glanceOf(item: Item): string {
  const fields = (item.fields ?? {}) as Record<string, unknown>;
  const text = typeof fields.title === 'string' ? fields.title : Object.values(fields).find((value) => typeof value === 'string');
  return typeof text === 'string' ? text : JSON.stringify(fields);
}

function All({place}: {place: Place}) {
  const {source, endpoint, idPrefix, updatedFrom, updatedTo, deleted, order} = place.query;
  const isNewest = order !== 'by id' && !idPrefix;
  const params = {source, endpoint, updatedFrom, updatedTo, deleted};
  const list = useList<Item>(isNewest ? 'items/newest' : 'items', isNewest ? {...params, limit: 100} : {...params, idPrefix});
  return (
    <>
      <Filters place={place}>
        <TextFilter place={place} name="idPrefix" label="Id begins with" hint="10.1000/" />
        <TextFilter place={place} name="updatedFrom" label="Updated from" hint="2026-01-31 or -7d" />
        <TextFilter place={place} name="updatedTo" label="until" hint="2026-02-01" />
        <Choice place={place} name="deleted" label="Deleted" of={['include', 'only']} any="leave out" />
        <Choice place={place} name="order" label="Order" of={['by id']} any="newest first" />
      </Filters>
      <Panel title={isNewest ? 'The hundred that were updated last' : 'Records by id'}>
        <ListTable caption="Records" list={list} keyOf={(row) => `${row.source}/${row.endpoint}/${row.id}`} empty={<>No record is like this. <a href="#/backfill">Fetch some</a>, or take filters away.</>}
          columns={[
            {head: 'Record', cell: (row) => <a href={linkTo(['records', row.source, row.endpoint, row.id])}>{row.id}</a>}, {head: 'Endpoint', cell: (row) => <Scope source={row.source} endpoint={row.endpoint} />},
            {head: 'Glance', isWide: true, cell: (row) => <span class="glance">{glanceOf(row)}</span>}, {head: 'Updated', isNumber: true, cell: (row) => <Moment at={row.updatedAt} />},
            {head: 'Fetched', isNumber: true, cell: (row) => <When at={row.fetchedAt} />}, {head: 'State', cell: (row) => (row.mergedInto ? <State code="merged" tone="none" /> : row.deletedAt ? <State code="deleted" tone="warn" /> : '')},
          ]} />
      </Panel>
    </>
  );
}

function One({source, endpoint, id}: {source: string; endpoint: string; id: string}) {
  const path = `items/${encodeURIComponent(source)}/${encodeURIComponent(endpoint)}/${encodeURIComponent(id)}/why`;
  const {data: why, error} = useAnswer<ItemWhy>(path, {pages: 20});
  if (!why) return error ? <Trouble error={error} /> : <Loading />;
  const {item} = why;
  return (
    <>
      <nav class="crumbs" aria-label="The way up"><ol><li><a href={linkTo(['records'], {source, endpoint})}>records</a></li><li aria-current="page">{id}</li></ol></nav>
      <Panel title={id} aside={item.deletedAt ? <State code="deleted" tone="warn" /> : item.mergedInto ? <State code="merged" tone="none" /> : undefined}>
        <Facts of={[
          ['Source', <Scope source={source} endpoint={endpoint} />], ['Updated by the provider', <Moment at={item.updatedAt} />], ['Fetched', <Moment at={item.fetchedAt} />], ['First seen', <Moment at={item.firstSeenAt} />],
          ['Looked at last', <Moment at={item.refreshedAt} />], ['Deleted', <Moment at={item.deletedAt} />],
          ['Merged into', item.mergedInto && <a href={linkTo(['records', source, endpoint, item.mergedInto])}>{item.mergedInto}</a>], ['Content', <code title={item.contentHash}>{item.contentHash.slice(0, 16)}</code>],
        ]} />
      </Panel>
      <Panel title="Fields"><Json value={item.fields} label="fields of the record" /></Panel>
      <Panel title="Which request wrote it">
        <Facts of={[
          ['Batch', <IdLink kind="batch" id={item.batch} />], ['Run', <IdLink kind="run" id={why.run?.id} />], ['Task', <IdLink kind="task" id={why.task?.id} />], ['Slice', <IdLink kind="slice" id={why.slice?.id} />],
          ['Window', why.slice ? stretch(why.slice.windowFrom, why.slice.windowTo) : '–'], ['Plan', <IdLink kind="plan" id={why.plan?.id} />], ['Operation', why.plan?.operation.toLowerCase()],
          ['Triggered', why.trigger ? `${moment(why.trigger.firedAt)} by ${why.trigger.scheduler.toLowerCase()} (${why.trigger.type.toLowerCase()})` : '–'], ['First batch', <IdLink kind="batch" id={why.firstBatch} />],
        ]} />
      </Panel>
      <Panel title="Other versions">
        {why.pages.length === 0 ? <Empty>No other stored page holds it.</Empty> : <ul class="plainlist">{why.pages.map((batch) => <li key={batch}>the page of batch <IdLink kind="batch" id={batch} whole /></li>)}</ul>}
        {why.quarantined.length > 0 && <Table caption="In quarantine" rows={why.quarantined} keyOf={(row) => row.id} columns={[
          {head: 'In quarantine', cell: (row) => <a href={linkTo(['quarantine', row.id])}>{row.rule}</a>}, {head: 'State', cell: (row) => <State code={row.status} />}, {head: 'Reason', isWide: true, cell: (row) => row.reason}, {head: 'When', isNumber: true, cell: (row) => <Moment at={row.createdAt} />}]} />}
      </Panel>
    </>
  );
}
