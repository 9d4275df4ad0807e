import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import type { RowData } from '@tanstack/react-table'
import { columnLabel, type Table } from './use-data-table.tsx'

type SortSelectProps<Row extends RowData> = NativeSelectProps & {
  table: Table<Row>
  /** The first option, for a list with an order of its own. */
  unsorted?: string
}

/** Sorts a table whose head is out of sight, as on a narrow screen. */
export function SortSelect<Row extends RowData>({ table, unsorted, ...props }: SortSelectProps<Row>) {
  const columns = table.getAllLeafColumns().filter((column) => column.getCanSort())
  const sorted = columns.find((column) => column.getIsSorted())
  const orders = columns.flatMap(({ id, columnDef }) => [
    { value: id, label: `${columnLabel(columnDef)}, ascending` },
    { value: `-${id}`, label: `${columnLabel(columnDef)}, descending` },
  ])
  return (
    <NativeSelect
      aria-label="Sort by"
      value={sorted ? `${sorted.getIsSorted() === 'desc' ? '-' : ''}${sorted.id}` : ''}
      data={unsorted === undefined ? orders : [{ value: '', label: unsorted }, ...orders]}
      onChange={({ currentTarget: { value } }) =>
        table.setSorting(value === '' ? [] : [{ id: value.replace(/^-/, ''), desc: value.startsWith('-') }])
      }
      {...props}
    />
  )
}
