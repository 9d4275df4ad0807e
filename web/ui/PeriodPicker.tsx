import { Button, TextInput } from '@mantine/core'
import { useId } from 'react'
import { type Period, PRESETS, presetOf, presetPeriod } from '../lib/periods.ts'
import classes from './PeriodPicker.module.css'

type PeriodPickerProps = { period: Period; fault: string | null; onChange: (period: Period) => void }

/** A day or a range of days: by name, or from the calendar. */
export function PeriodPicker({ period, fault, onChange }: PeriodPickerProps) {
  const faultId = useId()
  const now = Date.now()
  const chosen = presetOf(period, now)
  return (
    <fieldset className={classes.picker}>
      <legend className={classes.legend}>Days, counted in UTC</legend>
      <div className={classes.presets}>
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
      </div>
      <div className={classes.days}>
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            leftSection={<span aria-hidden="true">{end}</span>}
            leftSectionWidth="3rem"
            size="sm"
            className={classes.day}
            aria-label={end === 'from' ? 'First day' : 'Last day'}
            aria-describedby={fault ? faultId : undefined}
            error={fault !== null}
            value={period[end]}
            onChange={(event) => onChange({ ...period, [end]: event.currentTarget.value })}
          />
        ))}
      </div>
      {fault ? (
        <p id={faultId} role="alert" className={classes.fault}>
          {fault}
        </p>
      ) : null}
    </fieldset>
  )
}
