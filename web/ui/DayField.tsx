import { TextInput, type TextInputProps } from '@mantine/core'
import { z } from 'zod'
import classes from './DayField.module.css'
import { formatUtcDay } from './format-date.ts'

type DayFieldProps = Omit<TextInputProps, 'type' | 'value'> & {
  /** A date such as 2026-11-22, or empty. */
  value: string
}

/** Chooses a day from the browser's calendar, and shows it in the console's date format. */
export function DayField({ value, disabled, leftSectionWidth = '0.75rem', ...props }: DayFieldProps) {
  const isDay = z.iso.date().safeParse(value).success
  return (
    <TextInput
      {...props}
      type="date"
      value={value}
      disabled={disabled}
      leftSectionWidth={leftSectionWidth}
      data-filled={isDay || undefined}
      inputContainer={(input) => (
        <div className={classes.field} style={{ position: 'relative' }}>
          {input}
          {isDay ? (
            <span
              className={classes.words}
              style={{ insetInlineStart: leftSectionWidth }}
              data-disabled={disabled || undefined}
              aria-hidden="true"
            >
              {formatUtcDay(value)}
            </span>
          ) : null}
        </div>
      )}
    />
  )
}
