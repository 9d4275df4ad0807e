import { type ComponentProps, type Ref, useId, useState } from 'react'
import { useWords } from '../words/language.ts'
import { IconButton } from './Button.tsx'
import classes from './Field.module.css'
import { Icon } from './Icon.tsx'

type FieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  label: string
  value: string
  onValue: (value: string) => void
  hint?: string
  wrong?: string | undefined
  /** Marks the field as invalid; the message is elsewhere. */
  isMarked?: boolean
  ref?: Ref<HTMLInputElement>
}

export function Field({ label, value, onValue, hint, wrong, isMarked, children, ...input }: FieldProps) {
  const id = useId()
  const described = [wrong && `${id}-wrong`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <div className={classes.box} data-wrong={wrong || isMarked ? '' : undefined}>
        <input
          {...input}
          id={id}
          value={value}
          onChange={(event) => onValue(event.target.value)}
          aria-invalid={wrong || isMarked ? true : undefined}
          aria-describedby={described || undefined}
        />
        {children}
      </div>
      {wrong ? (
        <p id={`${id}-wrong`} className={classes.wrong}>
          <Icon name="alert" /> <span>{wrong}</span>
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className={classes.hint}>
          {hint}
        </p>
      ) : null}
    </div>
  )
}

export function PasswordField(props: FieldProps) {
  const t = useWords()
  const [isShown, setShown] = useState(false)
  return (
    <Field {...props} type={isShown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} dir="ltr">
      <IconButton
        label={t(isShown ? 'signin.hide_password' : 'signin.show_password')}
        icon={isShown ? 'eye-off' : 'eye'}
        onPress={() => setShown(!isShown)}
      />
    </Field>
  )
}

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
