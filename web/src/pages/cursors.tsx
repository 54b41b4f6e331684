// How far everything is, and how it got there.
import {useMemo, useState} from 'preact/hooks';
import {useAnswer, useList} from '../api/hooks';
import type {Page} from '../api/client';
import type {Cursor, CursorStep} from '../api/types';
import {Action} from '../parts/action';
import {Empty, Facts, IdLink, Loading, Moment, Panel, Scope, State, Trouble, When} from '../parts/basic';
import {Chart} from '../parts/chart';
import {Filters} from '../parts/filters';
import {ListTable, Table} from '../parts/table';
import {type Place, linkTo} from '../route';
import {count, day, duration} from '../words';

export function CursorsPage({place}: {place: Place}) {
  const [, id] = place.pieces;
  return id ? <OneCursor id={id} /> : <AllCursors place={place} />;
}

function AllCursors({place}: {place: Place}) {
  const {source, endpoint, operation} = place.query;
  const list = useList<Cursor>('cursors', {source, endpoint, operation}, {on: ['run'], everyMs: 30_000});
  return (
    <>
      <Filters place={place} operation />
      <Panel title="Cursors">
        <ListTable caption="Cursors" list={list} keyOf={(row) => row.id} empty={<>Nothing moved yet. A cursor begins with the first slice that is proven complete.</>}
          columns={[
            {head: 'Cursor', cell: (row) => <a href={linkTo(['cursors', row.id])}>{row.source}/{row.endpoint}</a>},
            {head: 'Operation', cell: (row) => <State code={row.operation} tone="none" />},
            {head: 'Namespace', cell: (row) => <span title={row.namespaceKey}>{row.namespaceScope.toLowerCase()} <span class="quiet">{row.namespaceKey.slice(0, 8)}</span></span>},
            {head: 'By', cell: (row) => row.key},
            {head: 'Watermark', isNumber: true, cell: (row) => (row.type === 'TIME' ? <Moment at={row.value} /> : row.value)},
            {head: 'Newest record', isNumber: true, cell: (row) => <Moment at={row.observedMax} />},
            {head: 'Moved', isNumber: true, cell: (row) => <When at={row.updatedAt} />},
            {head: 'Steps', isNumber: true, cell: (row) => count(row.version)},
          ]} />
      </Panel>
    </>
  );
}

function OneCursor({id}: {id: string}) {
  const {data: cursor, error, reload} = useAnswer<Cursor>(`cursors/${id}`, {}, {on: ['run'], everyMs: 30_000});
  const steps = useAnswer<Page<CursorStep>>(`cursors/${id}/steps`, {limit: 500}, {on: ['run'], everyMs: 30_000});
  const [value, setValue] = useState('');
  if (!cursor) return error ? <Trouble error={error} /> : <Loading />;
  const target = `${cursor.source}/${cursor.endpoint}`;
  return (
    <>
      <nav class="crumbs" aria-label="The way up"><ol><li><a href="#/cursors">cursors</a></li><li aria-current="page">{target}</li></ol></nav>
      <Panel title={`${cursor.operation} ${target}`} aside={<a href={linkTo(['certificate'], {source: target})}>certificate</a>}>
        <Facts of={[
          ['Source', <Scope source={cursor.source} endpoint={cursor.endpoint} />], ['Watermark', cursor.type === 'TIME' ? <Moment at={cursor.value} /> : cursor.value],
          ['Newest record', <Moment at={cursor.observedMax} />], ['By', cursor.key], ['Namespace', `${cursor.namespaceScope.toLowerCase()} ${cursor.namespaceKey}`],
          ['Moved', <When at={cursor.updatedAt} />], ['By run', <IdLink kind="run" id={cursor.run} />],
        ]} />
        {cursor.type === 'TIME' && cursor.operation === 'HARVEST' && (
          <p class="buttons">
            <Action label="Set the watermark" role="admin" tone="danger" title={`Set the watermark of ${target}`} button="Set it" path="cursors/set" body={{cursor: target, value}} isReady={Boolean(value)} onDone={reload}
              what={<p>Everything before the watermark counts as complete. Put back, the stretch is harvested again; put forward, what lies between is not asked for.</p>}
              fields={<label>To <span class="quiet">such as 2026-01-31 or now-30d</span><input required value={value} onInput={(event) => setValue(event.currentTarget.value)} /></label>} />
          </p>
        )}
      </Panel>
      {steps.data && steps.data.items.length > 0 && cursor.type === 'TIME' && <Line steps={steps.data.items} />}
      <Panel title="Steps, newest first">
        <Trouble error={steps.error} />
        {steps.data?.items.length === 0 && <Empty>It has not moved yet.</Empty>}
        {steps.data && steps.data.items.length > 0 && (
          <Table caption="Steps" rows={steps.data.items} keyOf={(step) => step.id} columns={[
            {head: 'When', isNumber: true, cell: (step) => <Moment at={step.at} />},
            {head: 'Direction', cell: (step) => <State code={step.refused ? 'refused' : step.direction} />},
            {head: 'From', isNumber: true, cell: (step) => day(step.before)}, {head: 'To', isNumber: true, cell: (step) => day(step.after)},
            {head: 'Late arrivals', isNumber: true, cell: (step) => count((step.remarks as {lateArrival?: number} | null)?.lateArrival)},
            {head: 'Refused because', isWide: true, cell: (step) => step.refused ?? ''}, {head: 'Slice', cell: (step) => <IdLink kind="slice" id={step.slice} />},
            {head: 'Run', cell: (step) => <IdLink kind="run" id={step.run} />},
          ]} />
        )}
      </Panel>
    </>
  );
}

function Line({steps}: {steps: CursorStep[]}) {
  const [times, values] = useMemo(() => {
    const moved = steps.filter((step) => !step.refused).reverse();
    const at = moved.map((step) => Date.parse(step.at) / 1_000);
    // Now less the watermark, as it was at each step, in seconds.
    return [at, [moved.map((step, i) => Math.max(0, at[i]! - Date.parse(step.after) / 1_000))]];
  }, [steps]);
  if (times.length < 2) return null;
  return (
    <Panel title="Lag over time" aside={<span class="quiet">how far the watermark was behind at each step</span>}>
      <Chart label="How far the watermark was behind, at each of its steps" times={times} values={values} format={duration}
        lines={[{name: 'lag', color: '--accent', isStep: true, points: times.length < 60}]} />
    </Panel>
  );
}
