import { Button, Fieldset, Group, Text } from '@mantine/core'
import { useId } from 'react'
import { type Period, PRESETS, presetOf, presetPeriod } from '../lib/periods.ts'
import { ownTimeZoneWords } from '../lib/time-zone.ts'
import { DayField } from './DayField.tsx'
import classes from './PeriodPicker.module.css'

type PeriodPickerProps = { period: Period; fault: string | null; onChange: (period: Period) => void }

/** Chooses a day or a range of days in the reader's time zone: a preset, or days of the calendar. */
export function PeriodPicker({ period, fault, onChange }: PeriodPickerProps) {
  const faultId = useId()
  const now = Date.now()
  const chosen = presetOf(period, now)
  return (
    <Fieldset variant="unstyled" mx={0} miw={0} legend={`Times in ${ownTimeZoneWords()}`}>
      <Group gap="xs" mt={4}>
        <Group gap={6}>
          {PRESETS.map((preset) => (
            <Button
              key={preset}
              className="choice"
              size="compact-md"
              variant="default"
              aria-pressed={preset === chosen}
              onClick={() => onChange(presetPeriod(preset, now))}
            >
              {preset}
            </Button>
          ))}
        </Group>
        <Group gap={6} className={classes.ends}>
          {(['from', 'to'] as const).map((end) => (
            <DayField
              key={end}
              leftSection={
                <Text component="span" size="sm" c="dimmed" aria-hidden="true">
                  {end}
                </Text>
              }
              leftSectionWidth="3rem"
              leftSectionProps={{ style: { justifyContent: 'flex-start', paddingInlineStart: '0.75rem' } }}
              size="sm"
              flex="1 1 10.5rem"
              miw={0}
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
