import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useRef } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { useElementOffset } from '../../../ui/use-element-offset.ts'
import { ParticipantTile, type TileActions, type TileProps } from './ParticipantTile.tsx'
import classes from './TileGrid.module.css'

const TILE_HEIGHT = 68
const GAP = 10
const NARROWEST = 148
const WIDEST = 196
/** Up to this many are drawn all at once, so that the browser's own search finds each of them. */
const DRAWN_AT_ONCE = 200

type TileGridProps = TileActions & {
  users: readonly RoomUser[]
  hostMuteAll: boolean
  meetingRuns: boolean
  disabled: boolean
  busyIds: ReadonlySet<string>
  label: string
}

/** All tiles in equal columns. Of a large room only the rows on screen exist, each tile telling its place of how many. */
export function TileGrid(props: TileGridProps) {
  const { users, hostMuteAll, meetingRuns, disabled, busyIds, label, onUnmute, onMenu } = props
  const ref = useRef<HTMLUListElement>(null)
  const { width, top } = useElementOffset(ref)
  const columns = Math.max(1, Math.floor((width + GAP) / ((width < 480 ? NARROWEST : WIDEST) + GAP)))
  const rows = Math.ceil(users.length / columns)

  const isLarge = users.length > DRAWN_AT_ONCE
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => TILE_HEIGHT,
    gap: GAP,
    overscan: 4,
    scrollMargin: top,
    enabled: isLarge,
  })
  const drawnRows = isLarge
    ? virtual.getVirtualItems().map(({ index, start }) => ({ index, start: start - top }))
    : Array.from({ length: rows }, (_, index) => ({ index, start: index * (TILE_HEIGHT + GAP) }))

  return (
    <ul
      ref={ref}
      className={classes.grid}
      aria-label={label}
      style={{ height: Math.max(0, rows * (TILE_HEIGHT + GAP) - GAP) }}
    >
      {width === 0
        ? null
        : drawnRows.flatMap(({ index, start }) =>
            users
              .slice(index * columns, (index + 1) * columns)
              .map((user, column) => (
                <Place
                  key={user.id}
                  user={user}
                  hostMuteAll={hostMuteAll}
                  meetingRuns={meetingRuns}
                  disabled={disabled}
                  busy={busyIds.has(user.id)}
                  onUnmute={onUnmute}
                  onMenu={onMenu}
                  column={column}
                  columns={columns}
                  top={start}
                  place={index * columns + column + 1}
                  count={users.length}
                />
              )),
          )}
    </ul>
  )
}

type PlaceProps = TileProps & { column: number; columns: number; top: number; place: number; count: number }

const Place = memo(function Place({ column, columns, top, place, count, ...tile }: PlaceProps) {
  const width = `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`
  const left = `calc((100% + ${GAP}px) / ${columns} * ${column})`
  return (
    <li
      className={classes.place}
      aria-setsize={count}
      aria-posinset={place}
      style={{ height: TILE_HEIGHT, width, left, top }}
    >
      <ParticipantTile {...tile} />
    </li>
  )
})
