import { useCallback, useLayoutEffect, useRef } from 'react'
import { mayClick, noteMoves } from './tile-order.ts'

/** Whether a tile has stood still long enough to be clicked; `ids` are those on screen, in their order. */
export function useClickGuard(ids: readonly string[]): (id: string) => boolean {
  const seen = useRef<{ ids: readonly string[]; movedAt: ReadonlyMap<string, number> }>({ ids: [], movedAt: new Map() })

  useLayoutEffect(() => {
    const { ids: before, movedAt } = seen.current
    if (!isSame(before, ids)) seen.current = { ids, movedAt: noteMoves(movedAt, before, ids, performance.now()) }
  }, [ids])

  return useCallback((id: string) => mayClick(seen.current.movedAt, id, performance.now()), [])
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((id, index) => id === other[index]))
}
