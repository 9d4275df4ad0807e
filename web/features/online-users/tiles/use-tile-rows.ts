import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useState } from 'react'
import { useElementOffset } from '../../../ui/use-element-offset.ts'

/** Up to this many users are rendered without virtual rows, so that the browser's search finds each of them. */
const VIRTUAL_ABOVE = 200

interface Sizes {
  count: number
  height: number
  gap: number
  columns: number
  /** The tile to draw wherever it is, such as the one with the focus, which would be lost with it. */
  kept?: number | undefined
}

/** Chooses the rows of equal height to draw in the element, with their positions; none while its width is unknown. */
export function useTileRows(ref: RefObject<HTMLElement | null>, sizesOf: (width: number) => Sizes) {
  const { width, top } = useElementOffset(ref)
  const { count, height, gap, columns, kept = -1 } = sizesOf(width)
  const rows = Math.ceil(count / columns)
  const isLarge = count > VIRTUAL_ABOVE
  const keptRow = kept < 0 ? -1 : Math.floor(kept / columns)
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => height,
    gap,
    overscan: 4,
    scrollMargin: top,
    enabled: isLarge,
  })
  const inSight = isLarge
    ? virtual.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: rows }, (_, n) => n)
  const drawn = keptRow < 0 || inSight.includes(keptRow) ? inSight : [...inSight, keptRow].sort((a, b) => a - b)
  const visible = drawn.map((index) => ({ index, top: index * (height + gap) }))
  return {
    columns,
    height,
    gap,
    totalHeight: Math.max(0, rows * (height + gap) - gap),
    visible: width === 0 ? [] : visible,
  }
}

/** Follows which tile has the focus, by the key that `keyOf` reads from its element. */
export function useFocusedTile(keyOf: (element: HTMLElement) => string | undefined) {
  const [focused, setFocused] = useState<string | null>(null)
  const onFocus = useCallback(
    ({ target }: { target: EventTarget }) => setFocused(target instanceof HTMLElement ? (keyOf(target) ?? null) : null),
    [keyOf],
  )
  return { focused, onFocus }
}
