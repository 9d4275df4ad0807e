import { Button, Checkbox, Popover, Stack, Text } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { RowData } from '@tanstack/react-table'
import { columnLabel, type Table } from './use-data-table.tsx'

type ColumnsMenuProps<Row extends RowData> = { table: Table<Row>; hint?: string }

/** Chooses the columns that the table shows. */
export function ColumnsMenu<Row extends RowData>({ table, hint }: ColumnsMenuProps<Row>) {
  const columns = table.getAllLeafColumns().filter((column) => column.getCanHide())
  return (
    <Popover position="bottom-end" shadow="md" trapFocus portalProps={{ target: '#content' }}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={17} stroke={1.75} aria-hidden="true" />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs" role="group" aria-label="Columns to show">
          {columns.map((column) => (
            <Checkbox
              key={column.id}
              size="sm"
              label={columnLabel(column.columnDef)}
              checked={column.getIsVisible()}
              onChange={(event) => column.toggleVisibility(event.currentTarget.checked)}
            />
          ))}
        </Stack>
        {hint ? (
          <Text size="xs" c="dimmed" mt="sm" maw="13rem">
            {hint}
          </Text>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  )
}
