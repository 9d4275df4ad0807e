import type { ComponentProps } from 'react'
import classes from './IconButton.module.css'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & { label: string }

/** A button that is only an icon; its label is read out, and shown where a mouse rests on it. */
export function IconButton({ label, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" {...rest} className={`${classes.button} ${className}`} aria-label={label} title={label} />
  )
}
