// What people decided, and why.
import {useList} from '../api/hooks';
import type {AuditEntry} from '../api/types';
import {Fold, Json, Moment, Panel, State} from '../parts/basic';
import {ListTable} from '../parts/table';

export function AuditPage() {
  const list = useList<AuditEntry>('audit', {}, {everyMs: 30_000});
  return (
    <Panel title="Decisions, newest first">
      <ListTable caption="Decisions" list={list} keyOf={(row) => row.id} empty={<>Nobody has decided anything yet. Whatever is changed here or by a command stands here with its reason.</>}
        columns={[
          {head: 'When', isNumber: true, cell: (row) => <Moment at={row.at} />}, {head: 'Who', cell: (row) => row.actor}, {head: 'Way', cell: (row) => row.way.toLowerCase().replaceAll('_', ' ')},
          {head: 'Did', cell: (row) => <State code={row.action} tone="none" />}, {head: 'To', cell: (row) => <>{row.objectType.toLowerCase().replaceAll('_', ' ')} <code>{row.object}</code></>}, {head: 'Reason', isWide: true, cell: (row) => row.reason || '–'},
          {head: 'Details', cell: (row) => (row.details && JSON.stringify(row.details) !== '{}' ? <Fold title="show"><Json value={row.details} label={`details of ${row.action}`} /></Fold> : '')},
        ]} />
    </Panel>
  );
}
