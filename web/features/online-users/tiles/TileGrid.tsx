import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useRef } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { useElementOffset } from '../../../ui/use-element-offset.ts'
import { ParticipantTile, type TileActions, type TileProps } from './ParticipantTile.tsx'
import classes from './tiles.module.css'

const TILE_HEIGHT = 68
const GAP = 10
const NARROWEST = 148
const WIDEST = 196
/** Up to this many are rendered without virtual rows, so that the browser's search finds each of them. */
const VIRTUAL_ABOVE = 200

type TileGridProps = TileActions & {
  users: readonly RoomUser[]
  hostMuteAll: boolean
  meetingRuns: boolean
  disabled: boolean
  busyIds: ReadonlySet<string>
  label: string
}

/** Equal columns. Of a large room only the rows on screen exist; aria-setsize and aria-posinset cover the rest. */
export function TileGrid(props: TileGridProps) {
  const { users, hostMuteAll, meetingRuns, disabled, busyIds, label, onUnmute, onMenu } = props
  const ref = useRef<HTMLUListElement>(null)
  const { width, top } = useElementOffset(ref)
  const columns = Math.max(1, Math.floor((width + GAP) / ((width < 480 ? NARROWEST : WIDEST) + GAP)))
  const rows = Math.ceil(users.length / columns)

  const isLarge = users.length > VIRTUAL_ABOVE
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => TILE_HEIGHT,
    gap: GAP,
    overscan: 4,
    scrollMargin: top,
    enabled: isLarge,
  })
  const visibleRows = isLarge
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
        : visibleRows.flatMap(({ index, start }) =>
            users
              .slice(index * columns, (index + 1) * columns)
              .map((user, column) => (
                <Cell
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
                  position={index * columns + column + 1}
                  count={users.length}
                />
              )),
          )}
    </ul>
  )
}

type CellProps = TileProps & { column: number; columns: number; top: number; position: number; count: number }

const Cell = memo(function Cell({ column, columns, top, position, count, ...tile }: CellProps) {
  const width = `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`
  const left = `calc((100% + ${GAP}px) / ${columns} * ${column})`
  return (
    <li
      className={classes.cell}
      aria-setsize={count}
      aria-posinset={position}
      style={{ height: TILE_HEIGHT, width, left, top }}
    >
      <ParticipantTile {...tile} />
    </li>
  )
})
