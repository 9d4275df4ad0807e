import { ActionIcon, Tooltip } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { SchemeToggle } from '../../ui/light/SchemeToggle.tsx'
import { type FindPeople, JumpTo } from './JumpTo.tsx'
import classes from './Shell.module.css'
import type { SidebarItem } from './Sidebar.tsx'

type HeaderProps = { items: SidebarItem[]; findPeople?: FindPeople; menuOpen: boolean; onMenu: () => void }

export function Header({ items, findPeople, menuOpen, onMenu }: HeaderProps) {
  return (
    <header className={classes.header}>
      <Tooltip label={menuOpen ? 'Fold the menu' : 'Open the menu'}>
        <ActionIcon aria-label="Menu" aria-expanded={menuOpen} onClick={onMenu}>
          <IconMenu2 size={20} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <JumpTo items={items} findPeople={findPeople} />
      <SchemeToggle />
    </header>
  )
}
