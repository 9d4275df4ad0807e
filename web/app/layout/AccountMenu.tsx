import { ActionIcon, Menu, Text, Tooltip } from '@mantine/core'
import { IconUserCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useSession } from '../../lib/session/session.ts'
import { menuProps } from '../../ui/menu-props.ts'
import type { SidebarItem } from './Sidebar.tsx'
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
      </Menu.Dropdown>
    </Menu>
  )
}
