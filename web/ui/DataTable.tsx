import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

export type Column<Row> = {
  key: string
  header: ReactNode
  cell: (row: Row, index: number) => ReactNode
  /** Where the cell goes when a row becomes a card on a narrow screen: its heading, its foot, or a labelled line. */
  card?: 'heading' | 'actions' | 'hidden'
  align?: 'start' | 'end'
  /** The header's words for the card where `header` is no text, as for a checkbox. */
  label?: string
}

type DataTableProps<Row> = {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string
  isSelected?: (row: Row) => boolean
}

/** A table on a wide screen, a list of cards on a narrow one, from the same cells. */
export function DataTable<Row>({ label, columns, rows, rowKey, isSelected }: DataTableProps<Row>) {
  return (
    <div className={classes.frame}>
      <div className={classes.box}>
        <table className={classes.table} aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.key} scope="col" data-align={column.align}>
                  {column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={rowKey(row)} data-selected={isSelected?.(row) || undefined}>
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
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
