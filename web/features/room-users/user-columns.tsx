import { Group, Text } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { shortDeviceId } from '../../lib/short-device-id.ts'
import cells from '../../ui/cells.module.css'
import { formatMoment } from '../../ui/format-date.ts'
import { actionsColumn, type Column, selectColumn } from '../../ui/use-data-table.tsx'
import { UserStatusBadge } from '../../widgets/room-user/UserStatusBadge.tsx'
import { UserActions, type UserRowAction } from './UserActions.tsx'

const none = <span className={cells.minor}>–</span>
const platforms: Record<string, string> = { android: 'Android', ios: 'iOS' }

export function userColumns(
  roomName: string,
  onAction: (action: UserRowAction, user: RoomUser) => void,
): Column<RoomUser>[] {
  return [
    selectColumn('Select all users', ({ username }) => username),
    { header: 'Sr. No.', meta: { card: 'hidden', width: '3rem' }, cell: ({ row }) => row.index + 1 },
    {
      header: 'User ID',
      meta: { width: '5.25rem' },
      cell: ({ row }) => <span className={cells.code}>{row.original.user_id}</span>,
    },
    { header: 'Info', meta: { width: '8.25rem' }, cell: ({ row }) => <Phone user={row.original} /> },
    {
      header: 'Username',
      meta: { card: 'heading', width: '8rem' },
      cell: ({ row: { original: user } }) => (
        <>
          <span className={cells.name}>{user.username}</span>
          <span className={cells.inCard}>
            <UserStatusBadge user={user} />
          </span>
        </>
      ),
    },
    {
      header: 'Reference',
      cell: ({ row: { original: user } }) =>
        user.reference ? <span className={cells.text}>{user.reference}</span> : none,
    },
    {
      header: 'Room',
      meta: { card: 'hidden', width: '5.75rem' },
      cell: () => (
        <Text component="span" size="xs" lh={1.35} lineClamp={2} miw="3.5rem" maw="8rem" title={roomName}>
          {roomName}
        </Text>
      ),
    },
    {
      header: 'Log Time',
      meta: { width: '6rem' },
      cell: ({ row: { original: user } }) =>
        user.login_time ? (
          <Text component="span" inherit display="inline-block" miw="5.25rem">
            {formatMoment(user.login_time)}
          </Text>
        ) : (
          none
        ),
    },
    {
      header: 'Platform',
      meta: { card: 'hidden', width: '4.25rem' },
      cell: ({ row }) => platformName(row.original) || none,
    },
    {
      header: 'App. Ver',
      meta: { card: 'hidden', width: '4rem' },
      cell: ({ row }) => row.original.app_version || none,
    },
    {
      header: 'Status',
      meta: { card: 'hidden', width: '8.75rem' },
      cell: ({ row }) => <UserStatusBadge user={row.original} />,
    },
    actionsColumn((user) => <UserActions user={user} onAction={onAction} />, '7.5rem'),
  ]
}

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
