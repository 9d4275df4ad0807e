import type { ComponentProps, ReactNode } from 'react'
import classes from './Button.module.css'
import { Spinner } from './Spinner.tsx'

type Look = { variant?: 'filled' | 'default' | 'subtle'; size?: 'sm' | 'md'; wide?: boolean; icon?: ReactNode }

const look = ({ variant = 'filled', size = 'sm', wide = false }: Look, className = '') => ({
  className: `${classes.button} ${className}`,
  'data-variant': variant,
  'data-size': size,
  'data-wide': wide || undefined,
})

type ButtonProps = ComponentProps<'button'> & Look & { busy?: boolean }

/** Drawn like Mantine's, which is too heavy for the pages that everybody sees, and for what changes many times a second. */
export function Button({ variant, size, wide, icon, busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...look({ variant, size, wide }, className)}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <Spinner size={16} /> : icon}
      {children}
    </button>
  )
}

type ButtonLinkProps = ComponentProps<'a'> & Look

/** A link that stands among buttons. */
export function ButtonLink({ variant, size, wide, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} {...look({ variant, size, wide }, className)}>
      {icon}
      {children}
    </a>
  )
}
