import { Popover, type PopoverProps } from '@mantine/core'
import { type ReactElement, type ReactNode, useState } from 'react'

type ButtonPopoverProps = Pick<PopoverProps, 'position' | 'width'> & {
  label: string
  className?: string | undefined
  button: (toggle: () => void) => ReactElement
  children: ReactNode
}

/** Opens a popover beside its button. It takes the focus, and returns it. */
export function ButtonPopover({ label, className, button, children, ...placing }: ButtonPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      shadow="md"
      zIndex={150} // below the confirmations that its buttons open
      trapFocus
      returnFocus
      portalProps={{ target: '#content' }}
      middlewares={{ shift: { padding: 12 }, flip: true }} // the tiles have the same distance from the edges
      {...placing}
    >
      <Popover.Target>{button(() => setOpen(!isOpen))}</Popover.Target>
      <Popover.Dropdown className={className} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
