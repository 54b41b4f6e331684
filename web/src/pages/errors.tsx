// Why batches fail, the most frequent first, each with its newest batch.
import {useAnswer} from '../api/hooks';
import type {ErrorKind} from '../api/types';
import {Empty, IdLink, Loading, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {Choice, Filters} from '../parts/filters';
import {Table} from '../parts/table';
import type {Place} from '../route';
import {count} from '../words';

export function ErrorsPage({place}: {place: Place}) {
  const {source, endpoint, operation, level, from} = place.query;
  const {data, error} = useAnswer<{isCut: boolean; items: ErrorKind[]}>('errors/top', {source, endpoint, operation, level, from, limit: 100}, {on: ['run'], everyMs: 30_000});
  const most = Math.max(1, ...(data?.items ?? []).map((row) => row.batches));
  return (
    <>
      <Filters place={place} operation>
        <Choice place={place} name="level" label="Level" of={['L1', 'L2', 'L3', 'L4']} />
        <Choice place={place} name="from" label="Since" of={['-1h', '-6h', '-1d', '-7d', '-30d']} any="a day ago" />
      </Filters>
      <p class="quiet">L1 passes by itself, L2 is wrong about the request, L3 is a record, L4 needs a person. Without a level: what patra decided without being in trouble, such as cutting a slice.</p>
      <Trouble error={error} />
      {!data && !error && <Loading />}
      {data && (
        <Panel title="By source and reason" aside={data.isCut ? <span class="quiet">there are more kinds; narrow the list</span> : undefined}>
          {data.items.length === 0 ? <Empty>No batch failed in this time.</Empty> : (
            <Table caption="Errors" rows={data.items} keyOf={(row) => `${row.source}/${row.endpoint} ${row.operation} ${row.level} ${row.error}`} columns={[
              {head: 'Batches', isNumber: true, cell: (row) => <><meter min={0} max={most} value={row.batches} aria-hidden="true" /> {count(row.batches)}</>},
              {head: 'Level', cell: (row) => (row.level ? <State code={row.level} /> : <State code="decided" tone="none" />)}, {head: 'Endpoint', cell: (row) => <Scope source={row.source} endpoint={row.endpoint} />},
              {head: 'What went wrong', isWide: true, cell: (row) => row.error}, {head: 'First', isNumber: true, cell: (row) => <When at={row.firstAt} />},
              {head: 'Last', isNumber: true, cell: (row) => <When at={row.lastAt} />}, {head: 'Newest batch', cell: (row) => <IdLink kind="batch" id={row.newestBatch} />},
            ]} />
          )}
        </Panel>
      )}
    </>
  );
}
