import type { ComponentProps, ReactNode } from 'react'
import classes from './Button.module.css'
import { Spinner } from './Spinner.tsx'

type Look = { variant?: 'filled' | 'default'; size?: 'sm' | 'md'; icon?: ReactNode }

const look = ({ variant = 'filled', size = 'sm' }: Look, className = '') => ({
  className: `${classes.button} ${className}`,
  'data-variant': variant,
  'data-size': size,
})

type ButtonProps = ComponentProps<'button'> & Look & { busy?: boolean }

export function Button({ variant, size, icon, busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...look({ variant, size }, className)}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <Spinner size={16} /> : icon}
      {children}
    </button>
  )
}

type ButtonLinkProps = ComponentProps<'a'> & Look

/** A link that looks like a button. */
export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} {...look({ variant, size }, className)}>
      {icon}
      {children}
    </a>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & { label: string }

export function IconButton({ label, className = '', ...rest }: IconButtonProps) {
  return <button type="button" {...rest} className={`${classes.icon} ${className}`} aria-label={label} title={label} />
}
