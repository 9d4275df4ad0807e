import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { Host } from '../../../shared/hosts.ts'
import { columnLabel, type Table } from '../../ui/use-data-table.tsx'

/** Which columns the table shows. */
export function ColumnsMenu({ table }: { table: Table<Host> }) {
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
      </Popover.Dropdown>
    </Popover>
  )
}
