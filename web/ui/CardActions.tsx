import { Button, Menu } from '@mantine/core'
import { type Icon, IconChevronDown } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import cells from './cells.module.css'
import { menuProps } from './menu-props.ts'

type CardAction = { label: string; icon: Icon; isDanger?: boolean; disabled?: boolean; onChoose: () => void }

/** A menu with the actions of a card, in words, since cards are used by thumb. */
export function CardActions({ name, actions }: { name: string; actions: CardAction[] }) {
  return (
    <Menu position="bottom-start" {...menuProps} width={220}>
      <Menu.Target>
        <Button
          className={cells.inCard}
          variant="default"
          rightSection={<IconChevronDown size={16} aria-hidden="true" />}
          aria-label={`Actions for ${name}`}
        >
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Items actions={actions} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Keeps the actions as they were when the menu opened: none turns into another under the thumb. */
function Items({ actions }: { actions: CardAction[] }) {
  const [shown] = useState(actions)
  return shown.map(({ label, icon: ActionIcon, isDanger = false, disabled = false, onChoose }, index) => (
    <Fragment key={label}>
      {isDanger && index > 0 ? <Menu.Divider /> : null}
      <Menu.Item
        color={isDanger ? 'bad' : undefined}
        leftSection={<ActionIcon size={17} stroke={1.75} aria-hidden="true" />}
        disabled={disabled}
        onClick={onChoose}
      >
        {label}
      </Menu.Item>
    </Fragment>
  ))
}
