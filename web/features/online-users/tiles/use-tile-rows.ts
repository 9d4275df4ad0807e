import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, type RefObject, useCallback, useState } from 'react'
import { useElementOffset } from '../../../ui/use-element-offset.ts'

/** Up to this many users are rendered without virtual rows, so that the browser's search finds each of them. */
const VIRTUAL_ABOVE = 200

interface Sizes {
  height: number
  gap: number
  columns: number
}

interface Tiles {
  /** Values of the attribute by which tiles are told apart, in the order of the tiles. */
  keys: readonly string[]
  attribute: string
}

/**
 * Chooses the rows of equal height to draw in the element, with their positions; none while its width is unknown. The
 * tile with the focus is drawn wherever it is, since the focus would be lost with it.
 */
export function useTileRows(ref: RefObject<HTMLElement | null>, tiles: Tiles, sizesOf: (width: number) => Sizes) {
  const { width, top } = useElementOffset(ref)
  const { height, gap, columns } = sizesOf(width)
  const { kept, onFocus } = useFocusedTile(tiles)
  const count = tiles.keys.length
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
    onFocus,
    totalHeight: Math.max(0, rows * (height + gap) - gap),
    visible: width === 0 ? [] : visible,
  }
}

/** Follows where the tile with the focus is. Of one that has gone its place is kept, where the next tile is now. */
function useFocusedTile({ keys, attribute }: Tiles) {
  const [focused, setFocused] = useState<{ key: string; index: number } | null>(null)
  const onFocus = useCallback(
    ({ target }: FocusEvent) => {
      const key = target.closest(`[${attribute}]`)?.getAttribute(attribute)
      setFocused(key ? { key, index: -1 } : null)
    },
    [attribute],
  )
  const index = focused ? keys.indexOf(focused.key) : -1
  if (focused && index >= 0 && index !== focused.index) setFocused({ ...focused, index })
  return { kept: Math.min(index >= 0 ? index : (focused?.index ?? -1), keys.length - 1), onFocus }
}
