import { Button, Fieldset, Group, Text, TextInput } from '@mantine/core'
import { useId } from 'react'
import { type Period, PRESETS, presetOf, presetPeriod } from '../lib/periods.ts'

type PeriodPickerProps = { period: Period; fault: string | null; onChange: (period: Period) => void }

/** A day or a range of days: by name, or from the calendar. */
export function PeriodPicker({ period, fault, onChange }: PeriodPickerProps) {
  const faultId = useId()
  const now = Date.now()
  const chosen = presetOf(period, now)
  return (
    <Fieldset variant="unstyled" legend="Days, counted in UTC">
      <Group gap="xs" mt={4}>
        <Group gap={6}>
          {PRESETS.map((preset) => (
            <Button
              key={preset}
              size="compact-md"
              variant={preset === chosen ? 'light' : 'default'}
              aria-pressed={preset === chosen}
              onClick={() => onChange(presetPeriod(preset, now))}
            >
              {preset}
            </Button>
          ))}
        </Group>
        <Group gap={6} flex="0 1 24rem">
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="date"
              leftSection={<span aria-hidden="true">{end}</span>}
              leftSectionWidth="3rem"
              size="sm"
              flex="1 1 11rem"
              aria-label={end === 'from' ? 'First day' : 'Last day'}
              aria-describedby={fault ? faultId : undefined}
              error={fault !== null}
              value={period[end]}
              onChange={(event) => onChange({ ...period, [end]: event.currentTarget.value })}
            />
          ))}
        </Group>
        {fault ? (
          <Text id={faultId} role="alert" size="sm" c="var(--bad)">
            {fault}
          </Text>
        ) : null}
      </Group>
    </Fieldset>
  )
}
