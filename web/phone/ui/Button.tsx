import type { ComponentProps, ReactNode, Ref } from 'react'
import classes from './Button.module.css'
import { Icon, type IconName } from './Icon.tsx'

type Look = 'main' | 'stop' | 'second' | 'plain'
type ButtonProps = {
  look?: Look
  small?: boolean
  icon?: IconName
  busy?: boolean
  /** Disables the button but keeps it focusable; `note` can explain why. */
  off?: boolean
  note?: string | undefined
  describedBy?: string | undefined
  submit?: boolean
  onPress?: () => void
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

export function Button({
  look = 'second',
  small,
  icon,
  busy = false,
  off = false,
  note,
  describedBy,
  submit,
  onPress,
  ref,
  children,
}: ButtonProps) {
  const isOff = off || busy
  return (
    <button
      ref={ref}
      type={submit ? 'submit' : 'button'}
      className={classes.button}
      data-look={look}
      data-size={small ? 'small' : undefined}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      aria-describedby={describedBy}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onPress?.()
      }}
    >
      {icon ? <Icon name={icon} /> : null}
      <span>
        {children}
        {note ? <span className={classes.note}>{note}</span> : null}
      </span>
    </button>
  )
}

type LinkProps = Pick<ComponentProps<'a'>, 'href' | 'target' | 'rel' | 'onClick'> & {
  look?: Look
  icon?: IconName
  children: ReactNode
}

/** A link that looks like a button. */
export function LinkButton({ look = 'second', icon, children, ...link }: LinkProps) {
  return (
    <a {...link} className={classes.button} data-look={look}>
      {icon ? <Icon name={icon} /> : null}
      <span>{children}</span>
    </a>
  )
}

type IconButtonProps = { label: string; icon: IconName; pressed?: boolean; onPress: () => void }

export function IconButton({ label, icon, pressed, onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classes.icon}
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  )
}
