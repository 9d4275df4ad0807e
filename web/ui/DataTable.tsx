import { Pagination, Paper, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Header, RowData, Row as TableRow } from '@tanstack/react-table'
import { memo, type ReactNode, useRef } from 'react'
import cells from './cells.module.css'
import classes from './DataTable.module.css'
import { columnLabel, type Features, SELECT_COLUMN, type Table } from './use-data-table.tsx'
import { useVirtualRows } from './use-virtual-rows.ts'

const PAGE_SIZE = 50

export type ListProps = {
  /** Shown instead of a table without rows. */
  empty?: ReactNode
  /** The page of a paged list; a number past the last page shows the last. */
  page?: number
  onPage?: (page: number) => void
  /** Single-line rows with fixed column widths and a sticky header. Cards show only heading and actions. */
  oneLine?: boolean
}

type DataTableProps<Row extends RowData> = ListProps & { label: string; table: Table<Row> }

/**
 * A table on a wide screen, a list of cards on a narrow one, from the same cells. A long one draws only the rows on
 * screen.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, table, empty, page, onPage, oneLine = false } = props
  const { rows } = table.getRowModel()
  if (rows.length === 0) return <Paper>{empty}</Paper>
  if (page === undefined) return <Grid label={label} table={table} rows={rows} oneLine={oneLine} />

  const pages = Math.ceil(rows.length / PAGE_SIZE)
  const shown = Math.min(page, pages)
  return (
    <>
      <Grid
        label={label}
        table={table}
        rows={rows.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE)}
        oneLine={oneLine}
      />
      {pages > 1 ? (
        <Pagination
          mx="auto"
          total={pages}
          value={shown}
          onChange={onPage}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      ) : null}
    </>
  )
}

type GridProps<Row extends RowData> = {
  label: string
  table: Table<Row>
  rows: TableRow<Features, Row>[]
  oneLine: boolean
}

function Grid<Row extends RowData>({ label, table, rows, oneLine }: GridProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const { isLong, drawn, above, below, measure } = useVirtualRows(body, rows, oneLine)
  const columns = table.getVisibleLeafColumns()
  return (
    <div style={{ containerType: 'inline-size' }}>
      <div className={classes.box} data-one-line={oneLine || undefined}>
        <table
          className={classes.table}
          aria-label={label}
          aria-rowcount={isLong ? rows.length + 1 : undefined}
          data-long={isLong || undefined}
          data-one-line={oneLine || undefined}
        >
          <thead>
            <tr>
              {table.getFlatHeaders().map((header) => (
                <HeaderCell key={header.id} header={header} isFixed={isLong || oneLine} />
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            <Space height={above} />
            {drawn.map(({ row, index }) => (
              <BodyRow
                key={row.id}
                data={row.original}
                columns={columns}
                index={index}
                isSelected={row.getIsSelected()}
                isLong={isLong}
                measure={measure}
                drawCells={() => drawCells(row)}
              />
            ))}
            <Space height={below} />
          </tbody>
        </table>
      </div>
    </div>
  )
}

const SORT_ORDERS = { asc: 'ascending', desc: 'descending' } as const

function HeaderCell<Row extends RowData>({ header, isFixed }: { header: Header<Features, Row>; isFixed: boolean }) {
  const { column } = header
  const { card, width, isExtra } = column.columnDef.meta ?? {}
  const order = column.getIsSorted()
  const content = draw(column.columnDef.header, header.getContext())
  const Icon = order === 'desc' ? IconArrowDown : IconArrowUp
  return (
    <th
      scope="col"
      data-card={card === 'actions' ? card : undefined}
      data-extra={isExtra || undefined}
      style={isFixed ? { width } : undefined}
      aria-sort={column.getCanSort() ? (order ? SORT_ORDERS[order] : 'none') : undefined}
    >
      {column.getCanSort() ? (
        <>
          <UnstyledButton
            fz="inherit"
            className={classes.sort}
            data-sorted={order || undefined}
            onClick={() => column.toggleSorting()}
          >
            {content}
            {order ? <Icon size={14} stroke={2} aria-hidden="true" /> : null}
          </UnstyledButton>
          <span className={classes.unsorted}>{content}</span>
        </>
      ) : (
        content
      )}
    </th>
  )
}

type BodyRowProps = {
  data: unknown
  columns: unknown
  index: number
  isSelected: boolean
  isLong: boolean
  measure: ((element: HTMLElement | null) => void) | undefined
  drawCells: () => ReactNode
}

/** Skips rendering while other rows change or scroll, as long as the columns are the same objects. */
const BodyRow = memo(
  function BodyRow({ index, isSelected, isLong, measure, drawCells }: BodyRowProps) {
    return (
      <tr
        ref={measure}
        data-index={index}
        aria-rowindex={isLong ? index + 2 : undefined}
        data-selected={isSelected || undefined}
      >
        {drawCells()}
      </tr>
    )
  },
  (before, after) =>
    before.data === after.data &&
    before.columns === after.columns &&
    before.index === after.index &&
    before.isSelected === after.isSelected &&
    before.isLong === after.isLong &&
    before.measure === after.measure,
)

function drawCells<Row extends RowData>(row: TableRow<Features, Row>): ReactNode {
  const visible = row.getVisibleCells()
  const box = visible.find(({ column }) => column.id === SELECT_COLUMN)
  return visible.map((cell) => {
    const { columnDef } = cell.column
    const { card, isExtra } = columnDef.meta ?? {}
    const content = draw(columnDef.cell, cell.getContext())
    return (
      <td key={cell.id} data-card={card} data-extra={isExtra || undefined}>
        {card ? null : (
          <span className={classes.cardLabel} aria-hidden="true">
            {columnLabel(columnDef)}
          </span>
        )}
        <div className={classes.cell}>
          {card === 'heading' && box ? (
            <span className={cells.heading}>
              <span className={cells.inCard}>{draw(box.column.columnDef.cell, box.getContext())}</span>
              {content}
            </span>
          ) : (
            content
          )}
        </div>
      </td>
    )
  })
}

/**
 * Calls the template as a function: flexRender renders a component, which would lose its focus with each new column
 * object.
 */
function draw<Context>(template: string | ((context: Context) => ReactNode) | undefined, context: Context): ReactNode {
  return typeof template === 'function' ? template(context) : template
}

/** Takes the space of the rows that are not drawn. */
function Space({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr className={classes.space}>
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}
