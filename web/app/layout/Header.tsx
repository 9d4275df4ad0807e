import { ActionIcon, Tooltip } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { SchemeToggle } from '../../ui/base/SchemeToggle.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { CommandPalette, type PeopleSearch } from './CommandPalette.tsx'
import { KeyboardHelp } from './KeyboardHelp.tsx'
import classes from './Shell.module.css'
import type { SidebarItem } from './Sidebar.tsx'

type HeaderProps = {
  items: SidebarItem[]
  accountItems: SidebarItem[]
  findPeople?: PeopleSearch
  menuOpen: boolean
  onMenu: () => void
}

export function Header({ items, accountItems, findPeople, menuOpen, onMenu }: HeaderProps) {
  const others = accountItems.filter(({ to }) => items.every((item) => item.to !== to))
  return (
    <header className={`no-print ${classes.header}`}>
      <Tooltip label={menuOpen ? 'Fold the menu' : 'Open the menu'}>
        <ActionIcon aria-label="Menu" aria-expanded={menuOpen} onClick={onMenu}>
          <IconMenu2 size={20} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <CommandPalette items={[...items, ...others]} findPeople={findPeople} />
      <SchemeToggle />
      <AccountMenu items={accountItems} />
      <KeyboardHelp />
    </header>
  )
}
