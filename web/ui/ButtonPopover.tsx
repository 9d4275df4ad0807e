import { Popover, type PopoverProps } from '@mantine/core'
import { type ReactElement, type ReactNode, useState } from 'react'

type ButtonPopoverProps = Pick<PopoverProps, 'position' | 'width'> & {
  label: string
  className: string | undefined
  button: (toggle: () => void) => ReactElement
  children: ReactNode
}

/** What a button opens beside itself, above the page. It takes the focus, and gives it back. */
export function ButtonPopover({ label, className, button, children, ...placing }: ButtonPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      shadow="md"
      zIndex={150} // below the questions that its buttons ask
      trapFocus
      returnFocus
      portalProps={{ target: '#content' }}
      middlewares={{ shift: { padding: 12 }, flip: true }} // as far from the edges as the tiles are
      {...placing}
    >
      <Popover.Target>{button(() => setOpen(!isOpen))}</Popover.Target>
      <Popover.Dropdown className={className} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
