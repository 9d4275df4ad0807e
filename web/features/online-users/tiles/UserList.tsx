import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, useId, useMemo, useRef } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { GroupChips, groupsOf } from '../../../widgets/user-groups/GroupChips.tsx'
import { Elapsed } from '../live-room/ServerTime.tsx'
import classes from './list.module.css'
import { type ListOrder, nextOrder, phoneOf, SORTED_COLUMNS, type SortedColumn, sinceOf } from './list-order.ts'
import { type TileProps, tileData } from './ParticipantTile.tsx'
import { StateWords } from './StateWords.tsx'
import { TileButtons } from './TileButtons.tsx'
import type { UsersProps } from './TileGrid.tsx'
import { TileIcon } from './TileIcon.tsx'
import { maySpeak, tileState } from './tile-state.ts'
import tiles from './tiles.module.css'
import { useTileRows } from './use-tile-rows.ts'

/** The smallest height in px that a thumb hits reliably. */
const ROW_HEIGHT = 44

const LABELS: Record<SortedColumn, string> = {
  name: 'Name',
  user_id: 'User ID',
  reference: 'Reference',
  state: 'State',
  since: 'Since',
  phone: 'Phone',
}

type UserListProps = UsersProps & { order: ListOrder; onOrder: (order: ListOrder) => void }

/** Shows the users as rows; a large room renders only those on screen, and aria-rowcount covers the rest. */
export function UserList(props: UserListProps) {
  const { users, label, order, onOrder, busyIds, ...rest } = props
  const ref = useRef<HTMLTableSectionElement>(null)
  const keys = useMemo(() => users.map(({ id }) => id), [users])
  const { visible, totalHeight, onFocus } = useTileRows(ref, { keys, attribute: 'data-user-id' }, () => ({
    columns: 1,
    height: ROW_HEIGHT,
    gap: 0,
  }))

  return (
    <table className={classes.list} aria-label={label} aria-rowcount={users.length + 1}>
      <thead className={classes.head}>
        <tr className={classes.columns} aria-rowindex={1}>
          {SORTED_COLUMNS.map((column) => (
            <HeadCell key={column} column={column} order={order} onOrder={onOrder} />
          ))}
          <th scope="col">
            <span className="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody ref={ref} onFocus={onFocus} className={classes.rows} style={{ height: totalHeight }}>
        {visible.map(({ index, top }) => {
          const user = users[index]
          return user ? (
            <Row
              key={user.id}
              user={user}
              groups={rest.groups}
              hostMuteAll={rest.hostMuteAll}
              meetingRuns={rest.meetingRuns}
              disabled={rest.disabled}
              busy={busyIds.has(user.id)}
              zoom={rest.zoom.get(user.id) ?? null}
              onUnmute={rest.onUnmute}
              onMenu={rest.onMenu}
              index={index}
              top={top}
            />
          ) : null
        })}
      </tbody>
    </table>
  )
}

type HeadCellProps = { column: SortedColumn; order: ListOrder; onOrder: (order: ListOrder) => void }

function HeadCell({ column, order, onOrder }: HeadCellProps) {
  const isSorted = order?.column === column
  const Icon = order?.isDescending ? IconArrowDown : IconArrowUp
  return (
    <th
      scope="col"
      data-column={column}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <UnstyledButton data-sorted={isSorted || undefined} onClick={() => onOrder(nextOrder(order, column))}>
        {LABELS[column]}
        {isSorted ? <Icon size={14} stroke={2} aria-hidden="true" /> : null}
      </UnstyledButton>
    </th>
  )
}

type RowProps = TileProps & { index: number; top: number }

const Row = memo(function Row(props: RowProps) {
  const { user, groups, hostMuteAll, meetingRuns, disabled, busy, zoom, index, top, onUnmute, onMenu } = props
  const inMeeting = meetingRuns ? user.in_meeting : null
  const stateId = useId()
  const own = groupsOf(user, groups)
  return (
    <tr
      aria-rowindex={index + 2}
      className={`${tiles.tile} ${classes.columns} ${classes.row}`}
      style={{ height: ROW_HEIGHT, top }}
      {...tileData(user, hostMuteAll, disabled)}
    >
      <td data-column="name">
        <TileIcon state={tileState(user)} isOpen={maySpeak(user, hostMuteAll)} busy={busy} inMeeting={inMeeting} />
        <PersonText text={user.username} className={`two-lines ${classes.name}`} wraps />
      </td>
      <td data-column="user_id" dir="ltr">
        {user.user_id}
      </td>
      <td data-column="reference">
        <PersonText text={user.reference ?? ''} />
        <GroupChips groups={own} oneLine />
      </td>
      <td data-column="state">
        <StateWords id={stateId} user={user} groups={own} hostMuteAll={hostMuteAll} inMeeting={inMeeting} zoom={zoom} />
      </td>
      <td data-column="since">
        <Since user={user} />
      </td>
      <td data-column="phone">
        <PersonText text={phoneOf(user)} />
      </td>
      <td>
        <TileButtons
          user={user}
          groups={own}
          disabled={disabled || !user.is_online}
          busy={busy}
          describedBy={stateId}
          onUnmute={onUnmute}
          onMenu={onMenu}
        />
      </td>
    </tr>
  )
})

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

/** Shows how long the user has spoken or waited, else when the phone signed in. */
function Since({ user }: { user: RoomUser }) {
  const since = sinceOf(user)
  if (since === null) return null
  if (user.is_speaking || user.wants_to_speak) return <Elapsed since={since} />
  return <span title="Signed in">{CLOCK.format(new Date(since))}</span>
}
