import { useMemo, useRef } from 'react'
import type { Attendee } from '../../../../shared/seat.ts'
import tiles from '../tiles/tiles.module.css'
import { useTileRows } from '../tiles/use-tile-rows.ts'
import { type GuestActions, GuestTile } from './GuestTile.tsx'

/** Sizes in px; on a phone, the narrow tiles are high enough for three lines of words. */
const HEIGHT = 68
const PHONE_HEIGHT = 84
const GAP = 10
const NARROWEST = 148
const WIDEST = 196
const PHONE_WIDTH = 480

type GuestGridProps = GuestActions & {
  guests: readonly Attendee[]
  speaking: ReadonlySet<string>
  busyKeys: ReadonlySet<string>
  disabled: boolean
  lastSeen: string | null
}

/** Columns of equal width; of many guests only the rows on screen are rendered. */
export function GuestGrid({ guests, speaking, busyKeys, ...tile }: GuestGridProps) {
  const ref = useRef<HTMLUListElement>(null)
  const keys = useMemo(() => guests.map(({ key }) => key), [guests])
  const placed = { keys, attribute: 'data-guest' }
  const { columns, height, gap, totalHeight, visible, onFocus } = useTileRows(ref, placed, (width) => ({
    height: width < PHONE_WIDTH ? PHONE_HEIGHT : HEIGHT,
    gap: GAP,
    columns: Math.max(1, Math.floor((width + GAP) / ((width < PHONE_WIDTH ? NARROWEST : WIDEST) + GAP))),
  }))
  return (
    <ul
      ref={ref}
      onFocus={onFocus}
      className={tiles.grid}
      data-density="comfortable"
      aria-label="In Zoom only"
      style={{ height: totalHeight }}
    >
      {visible.flatMap(({ index, top }) =>
        guests.slice(index * columns, (index + 1) * columns).map((guest, column) => (
          <li
            key={guest.key}
            className={tiles.cell}
            aria-setsize={guests.length}
            aria-posinset={index * columns + column + 1}
            style={{
              height,
              top,
              width: `calc((100% - ${(columns - 1) * gap}px) / ${columns})`,
              left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
            }}
          >
            <GuestTile guest={guest} isSpeaking={speaking.has(guest.key)} busy={busyKeys.has(guest.key)} {...tile} />
          </li>
        )),
      )}
    </ul>
  )
}
