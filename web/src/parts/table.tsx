// Lists. On a phone each row becomes a card, whose lines are named by the heads of the columns.
import type {ComponentChildren} from 'preact';
import type {List} from '../api/hooks';
import {Empty, Loading, Trouble} from './basic';

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ComponentChildren;
  isNumber?: boolean;
  isWide?: boolean; // takes the room that is left, and breaks its lines
}

interface TableProps<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  rowClass?: (row: Row) => string;
}

export function Table<Row>(props: TableProps<Row>) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.caption}>
      <table>
        <caption class="unseen">{props.caption}</caption>
        <thead>
          <tr>{props.columns.map((column) => <th key={column.head} scope="col" class={classOf(column)}>{column.head}</th>)}</tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.keyOf(row)} class={props.rowClass?.(row)}>
              {props.columns.map((column) => (
                <td key={column.head} class={classOf(column)} data-head={column.head}>{column.cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>(column: Column<Row>): string | undefined {
  return column.isNumber ? 'num' : column.isWide ? 'wide' : undefined;
}

// A list of the API with its next pages. `empty` says what to do where there is nothing.
export function ListTable<Row>(props: Omit<TableProps<Row>, 'rows'> & {list: List<Row>; empty: ComponentChildren}) {
  const {list} = props;
  return (
    <>
      <Trouble error={list.error} />
      {list.rows.length > 0 && <Table {...props} rows={list.rows} />}
      {list.isThere && list.rows.length === 0 && <Empty>{props.empty}</Empty>}
      {!list.isThere && list.isLoading && <Loading />}
      {list.more && (
        <p class="more">
          <button type="button" disabled={list.isLoading} onClick={list.more}>Show more</button>
          <span class="quiet">{list.rows.length} are shown, there are more</span>
        </p>
      )}
    </>
  );
}
