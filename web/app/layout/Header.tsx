import { ActionIcon, Kbd, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { SchemeToggle } from '../../ui/SchemeToggle.tsx'
import classes from './Header.module.css'
import { type FindPeople, JumpToModal } from './JumpToModal.tsx'
import type { SidebarItem } from './Sidebar.tsx'

type HeaderProps = { items: SidebarItem[]; findPeople?: FindPeople; menuOpen: boolean; onMenu: () => void }

export function Header({ items, findPeople, menuOpen, onMenu }: HeaderProps) {
  const [jumping, jump] = useDisclosure(false)
  useHotkeys([
    ['mod+K', jump.open],
    ['/', jump.open],
  ])

  return (
    <header className={classes.header}>
      <Tooltip label={menuOpen ? 'Fold the menu' : 'Open the menu'}>
        <ActionIcon aria-label="Menu" aria-expanded={menuOpen} onClick={onMenu}>
          <IconMenu2 size={20} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <UnstyledButton className={classes.search} onClick={jump.open}>
        <IconSearch size={17} stroke={1.75} aria-hidden="true" />
        <span className={classes.searchWords}>Search</span>
        <Kbd className={classes.key} aria-hidden="true">
          /
        </Kbd>
      </UnstyledButton>
      <span className={classes.gap} />
      <SchemeToggle />
      <JumpToModal items={items} findPeople={findPeople} opened={jumping} onClose={jump.close} />
    </header>
  )
}
