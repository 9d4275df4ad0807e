import { Checkbox } from '@mantine/core'
import {
  type ColumnDef,
  columnVisibilityFeature,
  metaHelper,
  type ReactTable,
  type RowData,
  rowSelectionFeature,
  rowSortingFeature,
  type TableOptions,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useCallback, useMemo } from 'react'
import cells from './cells.module.css'

type ColumnMeta = {
  /** The cell's place when a row becomes a card on a narrow screen; a labelled line if unset. */
  card?: 'heading' | 'actions' | 'hidden'
  /** Required in a long table, whose widths would change with the rows on screen, and in one with single-line rows. */
  width?: string
  /** Hides the column if a table with single-line rows is short of room; `first` before the others. */
  isExtra?: boolean | 'first'
}

const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  columnMeta: metaHelper<ColumnMeta>(),
})
export type Features = typeof features

export type Column<Row extends RowData> = ColumnDef<Features, Row>
export type Table<Row extends RowData> = ReactTable<Features, Row>

/** The rows are filtered and sorted already, by the view that the page's address keeps. */
export function useDataTable<Row extends RowData>(options: Omit<TableOptions<Features, Row>, 'features'>): Table<Row> {
  return useTable({
    features,
    enableSorting: false,
    enableSortingRemoval: false,
    manualSorting: true,
    sortDescFirst: false,
    ...options,
  })
}

/** Returns the selected rows that are still in the list, and a function that selects all or none. */
export function useSelectedRows<Row extends RowData>(table: Table<Row>) {
  const { rows } = table.getSelectedRowModel()
  const { resetRowSelection, toggleAllRowsSelected } = table
  const selectAll = useCallback(
    (isSelected: boolean) => selectAllRows({ resetRowSelection, toggleAllRowsSelected }, isSelected),
    [resetRowSelection, toggleAllRowsSelected],
  )
  return { selected: useMemo(() => rows.map(({ original }) => original), [rows]), selectAll }
}

type Selectable = Pick<Table<RowData>, 'resetRowSelection' | 'toggleAllRowsSelected'>

/** Deselects the rows that a filter hides, too. */
function selectAllRows({ resetRowSelection, toggleAllRowsSelected }: Selectable, isSelected: boolean) {
  resetRowSelection(true)
  if (isSelected) toggleAllRowsSelected(true)
}

export const SELECT_COLUMN = 'select'

/** A column of checkboxes, which a card shows before the heading. */
export function selectColumn<Row extends RowData>(allLabel: string, nameOf: (row: Row) => string): Column<Row> {
  return {
    id: SELECT_COLUMN,
    enableHiding: false,
    meta: { card: 'hidden', width: '2.75rem' },
    header: ({ table }) => {
      const isAll = table.getIsAllRowsSelected()
      return (
        <>
          <span className="unseen">Select</span>
          <Checkbox
            size="sm"
            aria-label={allLabel}
            checked={isAll}
            indeterminate={!isAll && table.getSelectedRowModel().rows.length > 0}
            onChange={(event) => selectAllRows(table, event.currentTarget.checked)}
          />
        </>
      )
    },
    cell: ({ row }) => (
      <Checkbox
        size="sm"
        aria-label={`Select ${nameOf(row.original)}`}
        checked={row.getIsSelected()}
        onChange={(event) => row.toggleSelected(event.currentTarget.checked)}
      />
    ),
  }
}

export function actionsColumn<Row extends RowData>(actions: (row: Row) => ReactNode, width?: string): Column<Row> {
  return {
    header: 'Actions',
    enableHiding: false,
    meta: { card: 'actions', width },
    cell: ({ row }) => <span className={cells.actions}>{actions(row.original)}</span>,
  }
}

/** Returns the header's text; null for a checkbox. */
export function columnLabel<Row extends RowData>({ header }: Column<Row>): string | null {
  return typeof header === 'string' ? header : null
}
