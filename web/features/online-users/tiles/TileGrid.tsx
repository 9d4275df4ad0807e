import { memo, useMemo, useRef } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import type { Density } from './density.ts'
import { ParticipantTile, type TileProps } from './ParticipantTile.tsx'
import type { TileActions } from './TileButtons.tsx'
import classes from './tiles.module.css'
import { useTileRows } from './use-tile-rows.ts'

/** Sizes in px; `narrowest` applies on a phone. */
const SIZES = {
  comfortable: { height: 68, gap: 10, narrowest: 148, widest: 196 },
  compact: { height: 40, gap: 6, narrowest: 148, widest: 168 },
}
const PHONE_WIDTH = 480
/** The smallest height in px that a thumb hits reliably. */
const TOUCH_HEIGHT = 44

export type UsersProps = TileActions & {
  users: readonly RoomUser[]
  groups: readonly UserGroup[]
  hostMuteAll: boolean
  meetingRuns: boolean
  disabled: boolean
  busyIds: ReadonlySet<string>
  /** Words for users in Zoom, by user id. */
  zoom: ReadonlyMap<string, string>
  label: string
}

type TileGridProps = UsersProps & { density: Exclude<Density, 'list'> }

/**
 * Columns of equal width. A large room renders only the rows on screen; aria-setsize and aria-posinset cover the rest.
 */
export function TileGrid(props: TileGridProps) {
  const { users, groups, hostMuteAll, meetingRuns, disabled, busyIds, zoom, label, density, onUnmute, onMenu } = props
  const ref = useRef<HTMLUListElement>(null)
  const keys = useMemo(() => users.map(({ id }) => id), [users])
  const tiles = { keys, attribute: 'data-user-id' }
  const { columns, height, gap, totalHeight, visible, onFocus } = useTileRows(ref, tiles, (width) => {
    const { narrowest, widest, ...sizes } = SIZES[density]
    const isPhone = width < PHONE_WIDTH
    return {
      gap: sizes.gap,
      height: isPhone ? Math.max(TOUCH_HEIGHT, sizes.height) : sizes.height,
      columns: Math.max(1, Math.floor((width + sizes.gap) / ((isPhone ? narrowest : widest) + sizes.gap))),
    }
  })

  return (
    <ul
      ref={ref}
      onFocus={onFocus}
      className={classes.grid}
      data-density={density}
      aria-label={label}
      style={{ height: totalHeight }}
    >
      {visible.flatMap(({ index, top }) =>
        users
          .slice(index * columns, (index + 1) * columns)
          .map((user, column) => (
            <Cell
              key={user.id}
              user={user}
              groups={groups}
              hostMuteAll={hostMuteAll}
              meetingRuns={meetingRuns}
              disabled={disabled}
              busy={busyIds.has(user.id)}
              zoom={zoom.get(user.id) ?? null}
              onUnmute={onUnmute}
              onMenu={onMenu}
              column={column}
              columns={columns}
              gap={gap}
              height={height}
              top={top}
              position={index * columns + column + 1}
              count={users.length}
            />
          )),
      )}
    </ul>
  )
}

type CellProps = TileProps & {
  column: number
  columns: number
  gap: number
  height: number
  top: number
  position: number
  count: number
}

const Cell = memo(function Cell({ column, columns, gap, height, top, position, count, ...tile }: CellProps) {
  const width = `calc((100% - ${(columns - 1) * gap}px) / ${columns})`
  const left = `calc((100% + ${gap}px) / ${columns} * ${column})`
  return (
    <li className={classes.cell} aria-setsize={count} aria-posinset={position} style={{ height, width, left, top }}>
      <ParticipantTile {...tile} />
    </li>
  )
})
