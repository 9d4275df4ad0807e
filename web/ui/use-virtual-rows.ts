import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useElementOffset } from './use-element-offset.ts'
import { usePrinting } from './use-printing.ts'

/** Up to this many rows are all drawn, so that the browser's own search finds each of them. */
const DRAWN_AT_ONCE = 100
/** A longer list would keep the browser busy for minutes; exporting a file is the better way. */
const PRINTED_AT_MOST = 1000
/** The width in px at which the style sheet turns rows into cards. */
const CARDS_BELOW = 928
/** Estimated heights of a row and a card until they are measured, and the gap between cards, in px. */
const SIZES = { lines: { row: 58, card: 250, gap: 12 }, oneLine: { row: 45, card: 92, gap: 8 } }

/** Chooses the rows to draw: all of a short table or in print, otherwise those on screen and a few around them. */
export function useVirtualRows<Row>(body: RefObject<HTMLElement | null>, rows: readonly Row[], oneLine: boolean) {
  const size = SIZES[oneLine ? 'oneLine' : 'lines']
  const { width, top } = useElementOffset(body)
  const isLong = rows.length > DRAWN_AT_ONCE
  const isCards = width > 0 && width <= CARDS_BELOW
  const gap = isCards ? size.gap : 0
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isCards ? size.card : size.row),
    gap,
    overscan: 6,
    scrollMargin: top,
    enabled: isLong,
  })
  const isPrinting = usePrinting()
  if (!isLong || (isPrinting && rows.length <= PRINTED_AT_MOST)) {
    const drawn = rows.map((row, index) => ({ row, index }))
    return { isLong, drawn, above: 0, below: 0, measure: undefined }
  }

  const items = virtual.getVirtualItems()
  const drawn = items.flatMap(({ index }) => {
    const row = rows[index]
    return row === undefined ? [] : [{ row, index }]
  })
  const above = (items[0]?.start ?? top) - top - gap
  const below = virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top) - gap
  return { isLong, drawn, above, below, measure: virtual.measureElement }
}
