import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, type ReactNode, useRef } from 'react'
import classes from './DataTable.module.css'
import { useVirtualRows } from './use-virtual-rows.ts'

export type Column<Row> = {
  key: string
  header: ReactNode
  /** A method, so that a row can be drawn by a part that knows nothing of what it is. */
  cell(row: Row, index: number): ReactNode
  /** Where the cell goes when a row becomes a card on a narrow screen: its heading, its foot, or a labelled line. */
  card?: 'heading' | 'actions' | 'hidden'
  align?: 'start' | 'end'
  /** The header's words for the card where `header` is no text, as for a checkbox. */
  label?: string
  /** How wide it is in a table so long that only the rows on screen are drawn: else it would change on scrolling. */
  width?: string
  /** Its header is a button that sorts by it, and says how it is sorted now. */
  sort?: { order: 'ascending' | 'descending' | null; onSort: () => void }
}

type DataTableProps<Row> = {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
  isSelected?: (row: Row) => boolean
}

/** A table on a wide screen, a list of cards on a narrow one, from the same cells. Of a long one, what is on screen. */
export function DataTable<Row>({ label, columns, rows, rowKey, isSelected }: DataTableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const { isLong, drawn, above, below, measure } = useVirtualRows(body, rows)
  return (
    <div className={classes.frame}>
      <div className={classes.box}>
        <table
          className={classes.table}
          aria-label={label}
          aria-rowcount={isLong ? rows.length + 1 : undefined}
          data-long={isLong || undefined}
        >
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  data-card={column.card === 'actions' ? column.card : undefined}
                  data-align={column.align}
                  style={isLong ? { width: column.width } : undefined}
                  aria-sort={column.sort ? (column.sort.order ?? 'none') : undefined}
                >
                  {column.sort ? <SortButton {...column.sort}>{column.header}</SortButton> : column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            <Space height={above} span={columns.length} />
            {drawn.map(({ row, index }) => (
              <TableRow
                key={rowKey(row)}
                row={row}
                index={index}
                columns={columns}
                isSelected={isSelected?.(row) ?? false}
                isLong={isLong}
                measure={measure}
              />
            ))}
            <Space height={below} span={columns.length} />
          </tbody>
        </table>
      </div>
    </div>
  )
}

type TableRowProps = {
  row: unknown
  index: number
  columns: Column<unknown>[]
  isSelected: boolean
  isLong: boolean
  measure: ((element: HTMLElement | null) => void) | undefined
}

/** Left alone while others scroll past it, as long as its columns are the same ones. */
const TableRow = memo(function TableRow({ row, index, columns, isSelected, isLong, measure }: TableRowProps) {
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={isLong ? index + 2 : undefined}
      data-selected={isSelected || undefined}
    >
      {columns.map((column) => (
        <td key={column.key} data-card={column.card} data-align={column.align}>
          {column.card ? null : (
            <span className={classes.cardLabel} aria-hidden="true">
              {column.label ?? column.header}
            </span>
          )}
          <div className={classes.cell}>{column.cell(row, index)}</div>
        </td>
      ))}
    </tr>
  )
})

/** Stands for the rows that are not drawn. */
function Space({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null
  return (
    <tr className={classes.space}>
      <td colSpan={span} style={{ height }} />
    </tr>
  )
}

function SortButton({ order, onSort, children }: NonNullable<Column<never>['sort']> & { children: ReactNode }) {
  const Icon = order === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <>
      <button type="button" className={classes.sort} data-sorted={order ?? undefined} onClick={onSort}>
        {children}
        {order ? <Icon size={14} stroke={2} aria-hidden="true" /> : null}
      </button>
      <span className={classes.unsorted}>{children}</span>
    </>
  )
}
