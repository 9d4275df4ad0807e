import { IconArrowUpCircle, IconDeviceMobile } from '@tabler/icons-react'
import type { RoomUser } from '../../../shared/room-users.ts'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { shortDeviceId } from '../../lib/short-device-id.ts'
import cells from '../../ui/cells.module.css'
import { formatMoment, formatShortMoment } from '../../ui/format-date.ts'
import { PersonText } from '../../ui/PersonText.tsx'
import { actionsColumn, type Column, selectColumn } from '../../ui/use-data-table.tsx'
import { MutedMark } from '../../widgets/room-user/MutedMark.tsx'
import { platformName } from '../../widgets/room-user/platform-name.ts'
import { UserLink } from '../../widgets/room-user/UserLink.tsx'
import { UserStatusBadge } from '../../widgets/room-user/UserStatusBadge.tsx'
import type { UserRowAction } from '../../widgets/room-user/user-actions.ts'
import { GroupChips, groupsOf } from '../../widgets/user-groups/GroupChips.tsx'
import { UserActions } from './UserActions.tsx'
import classes from './user-columns.module.css'
import type { Apps } from './user-filters.ts'
import { USER_SORTS, type UserSort } from './users-view.ts'

const none = <span className={cells.minor}>–</span>
const sorted = (id: UserSort, header: string) => ({ id, header, accessorFn: USER_SORTS[id] })

export const ROOM_COLUMN = 'room'

export function userColumns(
  roomName: string,
  apps: Apps,
  groups: readonly UserGroup[],
  onAction: (action: UserRowAction, user: RoomUser) => void,
): Column<RoomUser>[] {
  const hasGroups = groups.length > 0
  return [
    selectColumn('Select all users', ({ username }) => username),
    {
      id: 'number',
      header: 'Sr. No.',
      meta: { card: 'hidden', width: '3.5rem', isExtra: true },
      cell: ({ row }) => row.index + 1,
    },
    {
      ...sorted('user-id', 'User ID'),
      meta: { width: '5rem' },
      cell: ({ row }) => (
        <span className={`${cells.code} one-line`} title={row.original.user_id}>
          {row.original.user_id}
        </span>
      ),
    },
    {
      ...sorted('phone', 'Info'),
      meta: { width: hasGroups ? '6.5rem' : '8.5rem' },
      cell: ({ row }) => <Phone user={row.original} />,
    },
    {
      ...sorted('username', 'Username'),
      enableHiding: false, // it identifies the row
      meta: { card: 'heading' },
      cell: ({ row }) => <Heading user={row.original} apps={apps} groups={groups} />,
    },
    {
      ...sorted('reference', 'Reference'),
      meta: { width: '10%' },
      cell: ({ row: { original: user } }) => (user.reference ? <PersonText text={user.reference} /> : none),
    },
    ...(hasGroups ? [groupsColumn(groups)] : []),
    {
      id: ROOM_COLUMN,
      header: 'Room',
      meta: { width: '9%', isExtra: true },
      cell: () => <PersonText text={roomName} />,
    },
    {
      ...sorted('login', 'Log Time'),
      meta: { width: '6.5rem' },
      cell: ({ row: { original: user } }) =>
        user.login_time ? (
          <time dateTime={user.login_time} title={formatMoment(user.login_time)}>
            {formatShortMoment(user.login_time, Date.now())}
          </time>
        ) : (
          <span className={cells.minor}>Never</span>
        ),
    },
    {
      ...sorted('platform', 'Platform'),
      meta: { width: '4.5rem', isExtra: hasGroups ? 'first' : true },
      cell: ({ row }) => platformName(row.original) || none,
    },
    {
      ...sorted('version', 'App. Ver'),
      meta: { width: '4.75rem' },
      cell: ({ row: { original: user } }) => (user.app_version ? <App version={user.app_version} apps={apps} /> : none),
    },
    {
      ...sorted('status', 'Status'),
      meta: { width: '8.5rem' },
      cell: ({ row }) => <UserStatusBadge user={row.original} />,
    },
    actionsColumn((user) => <UserActions user={user} onAction={onAction} />, '7.375rem'),
  ]
}

const groupsColumn = (groups: readonly UserGroup[]): Column<RoomUser> => ({
  id: 'groups',
  header: 'Groups',
  meta: { width: '8rem' },
  cell: ({ row }) => {
    const own = groupsOf(row.original, groups)
    return own.length > 0 ? <GroupChips groups={own} oneLine /> : none
  },
})

/** The name; a card adds the details that the table shows in columns. */
function Heading({ user, apps, groups }: { user: RoomUser; apps: Apps; groups: readonly UserGroup[] }) {
  const { username, user_id, reference, login_time, device_model, app_version } = user
  const phone = [device_model ?? platformName(user), app_version].filter(Boolean).join(' · ')
  const isOlder = app_version !== null && apps.older.has(app_version)
  return (
    <span className="one-line">
      <span className={classes.heading}>
        <UserLink id={user.id} name={username} className={classes.name} />
        {user.is_muted ? <MutedMark /> : null}
        <span className={cells.inCard}>
          <UserStatusBadge user={user} />
        </span>
      </span>
      <span className={`${classes.more} ${classes.idLine}`}>
        <bdi dir="ltr">{user_id}</bdi>
        {reference ? (
          <>
            {' · '}
            <PersonText text={reference} />
          </>
        ) : null}
      </span>
      <span className={`${classes.more} one-line`}>
        {login_time ? formatShortMoment(login_time, Date.now()) : 'Never signed in'}
        {isOlder ? <span className={classes.older}> · older app</span> : null}
        {phone ? ` · ${phone}` : ''}
      </span>
      {user.group_ids.length > 0 ? (
        <span className={classes.more}>
          <GroupChips groups={groupsOf(user, groups)} />
        </span>
      ) : null}
    </span>
  )
}

function App({ version, apps }: { version: string; apps: Apps }) {
  if (!apps.older.has(version)) return <span className="one-line">{version}</span>
  return (
    <span
      className={`${classes.older} ${classes.version}`}
      title={`Older than ${apps.newest}, the newest app in your room`}
    >
      {version}
      <IconArrowUpCircle size={15} stroke={1.9} aria-hidden="true" />
      <span className="unseen">older app</span>
    </span>
  )
}

/** The phone that the user is bound to. */
function Phone({ user: { device_id, device_model } }: { user: RoomUser }) {
  if (!device_id) return <span className={cells.minor}>No phone yet</span>
  return (
    <span className={classes.phone} title={[device_model, device_id].filter(Boolean).join(', ')}>
      <IconDeviceMobile size={16} stroke={1.75} aria-hidden="true" />
      <span className="one-line">
        {device_model ? `${device_model} ` : ''}
        <span className={`${cells.code} ${cells.soft}`} style={{ display: 'inline' }}>
          {shortDeviceId(device_id)}
        </span>
      </span>
    </span>
  )
}
