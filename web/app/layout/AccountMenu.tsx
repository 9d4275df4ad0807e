import { ActionIcon, Kbd, Menu, Text, Tooltip } from '@mantine/core'
import { IconKeyboard, IconUserCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session/session.ts'
import { menuProps } from '../../ui/menu-props.ts'
import { openKeyboardHelp } from './keyboard-help.ts'
import classes from './Shell.module.css'
import type { SidebarItem } from './Sidebar.tsx'
import { HELP_KEY } from './shortcuts.ts'
import { directionOf } from './UserBadge.tsx'

/** Links to pages about the account itself, which are not pages of daily work. */
export function AccountMenu({ items }: { items: SidebarItem[] }) {
  const { user } = useSession()
  if (!user || items.length === 0) return null
  return (
    <Menu {...menuProps} position="bottom-end">
      <Menu.Target>
        <Tooltip label="Your account">
          <ActionIcon aria-label="Your account">
            <IconUserCircle size={20} stroke={1.75} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text component="bdi" dir={directionOf(user.username)} inherit truncate display="block" maw="14rem">
            {user.username}
          </Text>
        </Menu.Label>
        {items.map(({ to, label, icon: Icon }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            leftSection={<Icon size={17} stroke={1.75} aria-hidden="true" />}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Item
          className={classes.keyboard}
          leftSection={<IconKeyboard size={17} stroke={1.75} aria-hidden="true" />}
          rightSection={
            <Kbd size="xs" aria-hidden="true">
              {HELP_KEY}
            </Kbd>
          }
          onClick={openKeyboardHelp}
        >
          Keyboard shortcuts
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
