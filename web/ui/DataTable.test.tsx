import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { DataTable } from './DataTable.tsx'
import { actionsColumn, selectColumn, useDataTable, useSelectedRows } from './use-data-table.tsx'

type Person = { id: string; name: string }

const people = Array.from({ length: 60 }, (_, index): Person => ({ id: `${index}`, name: `person ${index}` }))

function People({ data, page }: { data: Person[]; page?: number }) {
  const table = useDataTable<Person>({
    columns: [
      selectColumn('Select all people', ({ name }) => name),
      { header: 'Name', meta: { card: 'heading' }, cell: ({ row }) => row.original.name },
      actionsColumn(({ name }) => <button type="button">Call {name}</button>),
    ],
    data,
    getRowId: ({ id }) => id,
  })
  const { selected } = useSelectedRows(table)
  return (
    <MantineProvider>
      <p role="status">{selected.length} selected</p>
      <DataTable label="People" table={table} page={page} />
    </MantineProvider>
  )
}

const rows = () => screen.getAllByRole('row').length - 1
const box = (name: string) => screen.getAllByLabelText(name)[0] ?? expect.unreachable(name)
const status = () => screen.getByRole('status').textContent

describe('DataTable', () => {
  test('shows the last page for a number past it, and selects the rows of every page', () => {
    render(<People data={people} page={9} />)
    expect(rows()).toBe(10)
    fireEvent.click(box('Select all people'))
    expect(status()).toBe('60 selected')
  })

  test('does not count a selected row that left the list, and drops it on selecting all', () => {
    const { rerender } = render(<People data={people.slice(0, 3)} />)
    fireEvent.click(box('Select person 0'))
    expect(box('Select all people')).toHaveProperty('indeterminate', true)
    rerender(<People data={people.slice(1, 3)} />)
    expect(status()).toBe('0 selected')
    expect(box('Select all people')).toHaveProperty('indeterminate', false)
    fireEvent.click(box('Select all people'))
    rerender(<People data={people.slice(0, 3)} />)
    expect(status()).toBe('2 selected')
  })

  test('keeps the focus in a row while its data and columns change', () => {
    const { rerender } = render(<People data={people.slice(0, 2)} />)
    const button = screen.getByRole('button', { name: 'Call person 1' })
    button.focus()
    rerender(<People data={[{ id: '1', name: 'Ana' }]} />)
    expect(screen.getByRole('button', { name: 'Call Ana' })).toBe(document.activeElement)
  })
})
