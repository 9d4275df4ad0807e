import type { Icon } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import classes from './Button.module.css'
import { Spinner } from './Spinner.tsx'

type Look = { look?: 'default' | 'filled' | 'strong' | 'plain'; size?: 'small' | 'large'; icon?: Icon }

const styled = (look: Look['look'], size: Look['size'], className = '') => ({
  className: `${classes.button} ${className}`,
  'data-look': look,
  'data-size': size,
})

type ButtonProps = ComponentProps<'button'> &
  Look & {
    busy?: boolean
    /** Disables the button but keeps it focusable; `note` can explain why. */
    off?: boolean
    note?: ReactNode
  }

export function Button(props: ButtonProps) {
  const { look = 'default', size, icon, busy = false, off = false, note, className, onClick, children, ...rest } = props
  const isOff = off || busy
  return (
    <button
      type="button"
      {...rest}
      {...styled(look, size, className)}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <Spinner size="var(--control-icon)" /> : <Glyph icon={icon} />}
      <span>
        {children}
        {note ? <span className={classes.note}>{note}</span> : null}
      </span>
    </button>
  )
}

type ButtonLinkProps = ComponentProps<'a'> & Look

/** A link that looks like a button. */
export function ButtonLink({ look = 'default', size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} {...styled(look, size, className)}>
      <Glyph icon={icon} />
      <span>{children}</span>
    </a>
  )
}

function Glyph({ icon: Icon }: Pick<Look, 'icon'>) {
  return Icon ? <Icon aria-hidden="true" /> : null
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & {
  label: string
  /** Disables the button but keeps it focusable. */
  off?: boolean
}

export function IconButton({ label, off = false, className = '', onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${classes.icon} ${className}`}
      aria-label={label}
      aria-disabled={off || undefined}
      title={label}
      onClick={off ? undefined : onClick}
    />
  )
}
