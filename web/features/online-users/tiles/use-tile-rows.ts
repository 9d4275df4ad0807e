import { useWindowVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useElementOffset } from '../../../ui/use-element-offset.ts'

/** Up to this many users are rendered without virtual rows, so that the browser's search finds each of them. */
const VIRTUAL_ABOVE = 200

interface Sizes {
  count: number
  height: number
  gap: number
  columns: number
}

/** Chooses the rows of equal height to draw in the element, with their positions; none while its width is unknown. */
export function useTileRows(ref: RefObject<HTMLElement | null>, sizesOf: (width: number) => Sizes) {
  const { width, top } = useElementOffset(ref)
  const { count, height, gap, columns } = sizesOf(width)
  const rows = Math.ceil(count / columns)
  const isLarge = count > VIRTUAL_ABOVE
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => height,
    gap,
    overscan: 4,
    scrollMargin: top,
    enabled: isLarge,
  })
  const visible = isLarge
    ? virtual.getVirtualItems().map(({ index, start }) => ({ index, top: start - top }))
    : Array.from({ length: rows }, (_, index) => ({ index, top: index * (height + gap) }))
  return {
    columns,
    height,
    gap,
    totalHeight: Math.max(0, rows * (height + gap) - gap),
    visible: width === 0 ? [] : visible,
  }
}
