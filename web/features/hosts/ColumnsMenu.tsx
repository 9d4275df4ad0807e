import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { HIDEABLE, HOST_COLUMNS } from './host-columns.ts'
import type { HostSort } from './hosts-view.ts'

type ColumnsMenuProps = { hidden: readonly string[]; onChange: (hidden: HostSort[]) => void }

/** Which columns the table shows; the browser keeps it. */
export function ColumnsMenu({ hidden, onChange }: ColumnsMenuProps) {
  const shown = HIDEABLE.filter((column) => !hidden.includes(column))
  return (
    <Popover position="bottom-end" shadow="md" trapFocus portalProps={{ target: '#content' }}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={17} stroke={1.75} aria-hidden="true" />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Checkbox.Group
          aria-label="Columns to show"
          value={shown}
          onChange={(values) => onChange(HIDEABLE.filter((column) => !values.includes(column)))}
        >
          <Stack gap="xs">
            {HIDEABLE.map((column) => (
              <Checkbox key={column} size="sm" value={column} label={HOST_COLUMNS[column]} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Popover.Dropdown>
    </Popover>
  )
}
