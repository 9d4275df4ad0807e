import { TextInput, type TextInputProps } from '@mantine/core'
import { z } from 'zod'
import classes from './DayField.module.css'
import { formatUtcDay } from './format-date.ts'

type DayFieldProps = Omit<TextInputProps, 'type' | 'value'> & {
  /** As 2026-11-22; empty for none. */
  value: string
}

/** A day from the browser's calendar, written as every other date of the console. */
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
