import { IconAlertTriangle } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import classes from './TextField.module.css'

export type TextFieldProps = ComponentProps<'input'> & {
  label: string
  error?: string | undefined
  /** Marks the field as wrong if the message is elsewhere. */
  isWrong?: boolean
  hint?: ReactNode
  /** Rendered at the end of the field, inside its frame. */
  aside?: ReactNode
}

/** A labelled field with room for a hint and for an error. */
export function TextField({ label, error, isWrong = false, hint, aside, ...input }: TextFieldProps) {
  const id = useId()
  const isInvalid = isWrong || error !== undefined
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <div className={classes.frame} data-invalid={isInvalid || undefined}>
        <input
          {...input}
          id={id}
          aria-invalid={isInvalid || undefined}
          aria-describedby={error || hint ? `${id}-notes` : undefined}
        />
        {aside}
      </div>
      <div id={`${id}-notes`} className={classes.notes}>
        {error ? (
          <span className={classes.error}>
            <IconAlertTriangle size="1.4em" aria-hidden="true" /> <span>{error}</span>
          </span>
        ) : null}
        {hint ? <div>{hint}</div> : null}
      </div>
    </div>
  )
}
