import { ActionIcon, Button, Divider, Group, Menu } from '@mantine/core'
import { IconChevronDown, IconId, IconTags, IconX } from '@tabler/icons-react'
import { Fragment, memo } from 'react'
import { BULK_LIMIT, type RoomUser } from '../../../shared/room-users.ts'
import { menuProps } from '../../ui/menu-props.ts'
import { INVITE, USER_LIST_ACTIONS, type UserListAction } from '../../widgets/room-user/user-actions.ts'
import classes from './BulkBar.module.css'

/** Actions on many users: those on single users, invitations, cards with their logins, and groups. */
export type BulkAction = UserListAction | 'invite' | 'cards' | 'groups'

type BulkProps = {
  /** The selected users in their present state. */
  chosen: readonly RoomUser[]
  busy: boolean
  onAction: (action: BulkAction) => void
}

function bulkActs(chosen: readonly RoomUser[], busy: boolean) {
  return ACTS.map((act) => ({
    ...act,
    label: 'limit' in act && chosen.length > act.limit ? `${act.label}, ${act.limit} at a time` : act.label,
    isOff: busy || (chosen.length > 0 && !chosen.some(act.applies)),
  }))
}

const FREQUENT: readonly BulkAction[] = ['mute', 'unmute', 'invite', 'cards', 'groups']
const isFrequent = (action: BulkAction) => FREQUENT.includes(action)
const userActs = (frequent: boolean) => USER_LIST_ACTIONS.filter(({ action }) => isFrequent(action) === frequent)
const CARDS = { action: 'cards' as const, label: 'Sign-in cards', limit: BULK_LIMIT, icon: IconId, applies: () => true }
const GROUPS = { action: 'groups' as const, label: 'Groups', icon: IconTags, applies: () => true }
const ACTS = [...userActs(true), INVITE, CARDS, GROUPS, ...userActs(false)]

/** Floats over the list, so that it is in reach at any scroll position. */
export const BulkBar = memo(function BulkBar({ chosen, busy, onAction, onClear }: BulkProps & { onClear: () => void }) {
  const acts = bulkActs(chosen, busy)
  const buttons = (shown: typeof acts) =>
    shown.map(({ action, label, icon: Icon, isOff }) => (
      <Fragment key={action}>
        {action === 'activate' || action === 'delete' ? <Divider orientation="vertical" my={4} mx={4} /> : null}
        <Button
          size="compact-sm"
          variant={isFrequent(action) ? 'default' : 'subtle'}
          color={action === 'delete' ? 'bad' : 'gray'}
          leftSection={<Icon size={15} stroke={1.75} aria-hidden="true" />}
          disabled={isOff}
          onClick={() => onAction(action)}
        >
          {label}
        </Button>
      </Fragment>
    ))
  return (
    <section className={`no-print ${classes.bar}`} aria-label="Bulk actions">
      <Group gap={4} wrap="nowrap" flex="none">
        <ActionIcon size="md" aria-label="Clear selection" title="Clear selection" onClick={onClear}>
          <IconX size={17} aria-hidden="true" />
        </ActionIcon>
        <strong role="status">{chosen.length.toLocaleString('en')} selected</strong>
      </Group>
      <Group justify="flex-end" gap={6} wrap="nowrap" flex={1} className={classes.buttons}>
        {buttons(acts.filter(({ action }) => isFrequent(action)))}
        <div className={classes.rest}>{buttons(acts.filter(({ action }) => !isFrequent(action)))}</div>
      </Group>
      <div className={classes.menu}>
        <BulkMenu chosen={chosen} busy={busy} onAction={onAction} position="top-end" filled />
      </div>
    </section>
  )
})

type BulkMenuProps = BulkProps & { position: 'top-end' | 'bottom-end'; filled?: boolean }

/**
 * The same actions as a menu. It is enabled without a selection too; an action then says that users must be selected.
 */
export function BulkMenu({ chosen, busy, onAction, position, filled = false }: BulkMenuProps) {
  return (
    <Menu position={position} {...menuProps} width={210}>
      <Menu.Target>
        <Button
          flex="none"
          variant={filled ? 'filled' : 'default'}
          rightSection={<IconChevronDown size={16} aria-hidden="true" />}
          loading={busy}
        >
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {bulkActs(chosen, busy).map(({ action, label, icon: Icon, isOff }) => (
          <Fragment key={action}>
            {action === 'activate' || action === 'delete' ? <Menu.Divider /> : null}
            <Menu.Item
              color={action === 'delete' ? 'bad' : undefined}
              leftSection={<Icon size={16} aria-hidden="true" />}
              disabled={isOff}
              onClick={() => onAction(action)}
            >
              {label}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
