import { type ComponentProps, type ReactNode, useId } from 'react'
import classes from './LightTextField.module.css'

export type LightTextFieldProps = ComponentProps<'input'> & {
  label: string
  error?: string
  hint?: ReactNode
  /** Stands at the end of the field, inside its frame. */
  aside?: ReactNode
}

/** For the pages before sign-in, which do without Mantine: a labelled field with room for a hint and for what is wrong with it. */
export function LightTextField({ label, error, hint, aside, ...input }: LightTextFieldProps) {
  const id = useId()
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.frame} data-invalid={error !== undefined || undefined}>
        <input
          {...input}
          id={id}
          className={classes.input}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error || hint ? `${id}-notes` : undefined}
        />
        {aside}
      </div>
      <div id={`${id}-notes`} className={classes.notes}>
        {hint ? <output className={classes.hint}>{hint}</output> : null}
        {error ? <span className={classes.error}>{error}</span> : null}
      </div>
    </div>
  )
}
