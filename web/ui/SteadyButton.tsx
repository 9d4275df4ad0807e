import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'

type SteadyButtonProps = ButtonProps & ComponentProps<'button'> & { off?: boolean; busy?: boolean }

/** Keeps the focus while it is off or busy, which the browser takes from a button that is natively disabled. */
export function SteadyButton({ off = false, busy = false, onClick, ...rest }: SteadyButtonProps) {
  const isOff = off || busy
  return (
    <Button
      {...rest}
      aria-disabled={isOff || undefined}
      aria-busy={busy || undefined}
      data-disabled={isOff || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    />
  )
}
