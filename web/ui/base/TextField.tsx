import { type ComponentProps, type ReactNode, useId } from 'react'
import classes from './TextField.module.css'

export type TextFieldProps = ComponentProps<'input'> & {
  label: string
  error?: string
  /** Marks the field as wrong if the message is elsewhere. */
  isWrong?: boolean
  hint?: ReactNode
  /** Rendered at the end of the field, inside its frame. */
  aside?: ReactNode
}

/** A labelled field with room for a hint and for an error. */
export function TextField({ label, error, isWrong = error !== undefined, hint, aside, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <div>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.frame} data-invalid={isWrong || undefined}>
        <input
          {...input}
          id={id}
          className={classes.input}
          aria-invalid={isWrong || undefined}
          aria-describedby={error || hint ? `${id}-notes` : undefined}
        />
        {aside}
      </div>
      <div id={`${id}-notes`} className={classes.notes}>
        {hint ? <output>{hint}</output> : null}
        {error ? <span className={classes.error}>{error}</span> : null}
      </div>
    </div>
  )
}
