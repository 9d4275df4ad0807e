import { Checkbox, Group, Text } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { shortDeviceId } from '../../lib/short-device-id.ts'
import cells from '../../ui/cells.module.css'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { formatMoment } from '../../ui/format-date.ts'
import { SelectBox } from '../../ui/SelectBox.tsx'
import { UserStatusBadge } from '../../ui/UserStatusBadge.tsx'
import { UserActions, type UserRowAction } from './UserActions.tsx'

type UsersTableProps = {
  users: RoomUser[]
  roomName: string
  selected: ReadonlySet<string>
  allSelected: boolean
  onSelect: (id: string, isSelected: boolean) => void
  onSelectAll: (isSelected: boolean) => void
  onAction: (action: UserRowAction, user: RoomUser) => void
}

const none = <span className={cells.minor}>–</span>
const platforms: Record<string, string> = { android: 'Android', ios: 'iOS' }

export const UsersTable = memo(function UsersTable(props: UsersTableProps) {
  const { users, roomName, selected, allSelected, onSelect, onSelectAll, onAction } = props
  const columns = useMemo<Column<RoomUser>[]>(() => {
    const checkbox = ({ id, username }: RoomUser) => (
      <SelectBox id={id} label={`Select ${username}`} checked={selected.has(id)} onSelect={onSelect} />
    )
    return [
      {
        key: 'select',
        width: '2.75rem',
        card: 'hidden',
        header: (
          <Checkbox
            size="sm"
            aria-label="Select all users"
            checked={allSelected}
            indeterminate={!allSelected && selected.size > 0}
            onChange={(event) => onSelectAll(event.currentTarget.checked)}
          />
        ),
        cell: checkbox,
      },
      { key: 'number', width: '3rem', header: 'Sr. No.', card: 'hidden', cell: (_, index) => index + 1 },
      {
        key: 'user_id',
        width: '5.25rem',
        header: 'User ID',
        cell: (user) => <span className={cells.code}>{user.user_id}</span>,
      },
      { key: 'info', width: '8.25rem', header: 'Info', cell: (user) => <Phone user={user} /> },
      {
        key: 'username',
        width: '8rem',
        header: 'Username',
        card: 'heading',
        cell: (user) => (
          <span className={cells.heading}>
            <span className={cells.inCard}>{checkbox(user)}</span>
            <span className={cells.name}>{user.username}</span>
            <span className={cells.inCard}>
              <UserStatusBadge user={user} />
            </span>
          </span>
        ),
      },
      {
        key: 'reference',
        header: 'Reference',
        cell: (user) => (user.reference ? <span className={cells.text}>{user.reference}</span> : none),
      },
      {
        key: 'room',
        width: '5.75rem',
        header: 'Room',
        card: 'hidden',
        cell: () => (
          <Text component="span" size="xs" lh={1.35} lineClamp={2} miw="3.5rem" maw="8rem" title={roomName}>
            {roomName}
          </Text>
        ),
      },
      {
        key: 'log_time',
        width: '6rem',
        header: 'Log Time',
        cell: (user) =>
          user.login_time ? (
            <Text component="span" inherit display="inline-block" miw="5.25rem">
              {formatMoment(user.login_time)}
            </Text>
          ) : (
            none
          ),
      },
      {
        key: 'platform',
        width: '4.25rem',
        header: 'Platform',
        card: 'hidden',
        cell: (user) => platformName(user) || none,
      },
      {
        key: 'app_version',
        width: '4rem',
        header: 'App. Ver',
        card: 'hidden',
        cell: (user) => user.app_version || none,
      },
      {
        key: 'status',
        width: '8.75rem',
        header: 'Status',
        card: 'hidden',
        cell: (user) => <UserStatusBadge user={user} />,
      },
      {
        key: 'actions',
        width: '7.5rem',
        header: 'Actions',
        card: 'actions',
        align: 'end',
        cell: (user) => <UserActions user={user} onAction={onAction} />,
      },
    ]
  }, [roomName, selected, allSelected, onSelect, onSelectAll, onAction])

  return (
    <DataTable
      label="Users"
      columns={columns}
      rows={users}
      rowKey={({ id }) => id}
      isSelected={({ id }) => selected.has(id)}
    />
  )
})

function platformName({ platform }: RoomUser): string {
  return platforms[platform ?? ''] ?? platform ?? ''
}

/** The phone that the user is bound to; on a card with what the table has in columns of their own. */
function Phone({ user }: { user: RoomUser }) {
  const { device_id, device_model, app_version } = user
  if (!device_id) return <span className={cells.minor}>No phone yet</span>
  return (
    <Group component="span" gap={6} wrap="nowrap" align="flex-start" lh={1.35} title={device_id}>
      <IconDeviceMobile size={16} stroke={1.75} style={{ flex: 'none' }} aria-hidden="true" />
      <span>
        {device_model ? <span className={cells.text}>{device_model}</span> : null}
        <span className={`${cells.code} ${cells.soft}`}>{shortDeviceId(device_id)}</span>
        <span className={`${cells.minor} ${cells.inCard}`}>
          {[platformName(user), app_version].filter(Boolean).join(' · ')}
        </span>
      </span>
    </Group>
  )
}
