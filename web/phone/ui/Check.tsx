import { useId } from 'react'
import classes from './Check.module.css'

type CheckProps = { label: string; hint: string; checked: boolean; onChecked: (checked: boolean) => void }

export function Check({ label, hint, checked, onChecked }: CheckProps) {
  const id = useId()
  return (
    <label className={classes.check}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChecked(event.target.checked)}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
      />
      <span>
        <b id={`${id}-label`}>{label}</b>
        <span id={`${id}-hint`} className={classes.hint}>
          {hint}
        </span>
      </span>
    </label>
  )
}
