import { Checkbox } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { shortDeviceId } from '../../lib/short-device-id.ts'
import cards from '../../ui/CardHeading.module.css'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { formatMoment } from '../../ui/format-date.ts'
import { SelectBox } from '../../ui/SelectBox.tsx'
import { UserStatusBadge } from '../../ui/UserStatusBadge.tsx'
import { UserActions, type UserRowAction } from './UserActions.tsx'
import classes from './UsersTable.module.css'

type UsersTableProps = {
  users: RoomUser[]
  roomName: string
  selected: ReadonlySet<string>
  allSelected: boolean
  onSelect: (id: string, isSelected: boolean) => void
  onSelectAll: (isSelected: boolean) => void
  onAction: (action: UserRowAction, user: RoomUser) => void
}

const none = <span className={classes.none}>–</span>
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
        cell: (user) => <span className={classes.code}>{user.user_id}</span>,
      },
      { key: 'info', width: '8.25rem', header: 'Info', cell: (user) => <Phone user={user} /> },
      {
        key: 'username',
        width: '8rem',
        header: 'Username',
        card: 'heading',
        cell: (user) => (
          <span className={cards.heading}>
            <span className={cards.inCard}>{checkbox(user)}</span>
            <span className={classes.name}>{user.username}</span>
            <span className={cards.inCard}>
              <UserStatusBadge user={user} />
            </span>
          </span>
        ),
      },
      {
        key: 'reference',
        header: 'Reference',
        cell: (user) => (user.reference ? <span className={classes.reference}>{user.reference}</span> : none),
      },
      {
        key: 'room',
        width: '5.75rem',
        header: 'Room',
        card: 'hidden',
        cell: () => (
          <span className={classes.room} title={roomName}>
            {roomName}
          </span>
        ),
      },
      {
        key: 'log_time',
        width: '6rem',
        header: 'Log Time',
        cell: (user) =>
          user.login_time ? <span className={classes.time}>{formatMoment(user.login_time)}</span> : none,
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
  if (!device_id) return <span className={classes.none}>No phone yet</span>
  return (
    <span className={classes.phone} title={device_id}>
      <IconDeviceMobile size={16} stroke={1.75} aria-hidden="true" />
      <span>
        {device_model ? <span className={classes.model}>{device_model}</span> : null}
        <span className={classes.device}>{shortDeviceId(device_id)}</span>
        <span className={`${classes.app} ${cards.inCard}`}>
          {[platformName(user), app_version].filter(Boolean).join(' · ')}
        </span>
      </span>
    </span>
  )
}
