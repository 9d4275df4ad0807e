import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

type ChartTableProps = {
  label: string
  /** The first column names the row; numbers are in the others. */
  columns: readonly string[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

export function ChartTable({ label, columns, rows }: ChartTableProps) {
  return (
    <Table aria-label={label} fz="xs" horizontalSpacing="sm" verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, index) => (
            <Table.Th key={column} scope="col" ta={index === 0 ? undefined : 'end'}>
              {column}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells: [name, ...numbers] }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fz="xs" fw={400} bg="transparent" c="var(--text)">
              {name}
            </Table.Th>
            {columns.slice(1).map((column, index) => (
              <Table.Td key={column} ta="end" style={{ whiteSpace: 'nowrap' }}>
                {numbers[index]}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
