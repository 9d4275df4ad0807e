import { type MouseEvent, useCallback, useLayoutEffect, useRef } from 'react'

/** A click this soon after its tile has moved was meant for another one. */
export const MOVED_GUARD_MS = 300

type MoveTimes = ReadonlyMap<string, number>
/** Whether a click on the item `id` is meant for it. */
export type ClickGuard = (id: string, event: Pick<MouseEvent, 'detail'>) => boolean

/** Guards a list whose items move by themselves; `ids` are the items in their order on screen, `layout` moves all of them. */
export function useClickGuard(ids: readonly string[], layout = ''): ClickGuard {
  const last = useRef<{ ids: readonly string[]; layout: string; movedAt: MoveTimes }>({
    ids: [],
    layout,
    movedAt: new Map(),
  })

  useLayoutEffect(() => {
    const { movedAt } = last.current
    const before = layout === last.current.layout ? last.current.ids : []
    if (isSameOrder(before, ids)) return
    last.current = { ids, layout, movedAt: trackMoves(movedAt, before, ids, performance.now()) }
  }, [ids, layout])

  return useCallback(
    // Enter and Space, with detail 0, follow the focus, which stays with its item wherever that moves.
    (id, { detail }) => detail === 0 || isSettled(last.current.movedAt, id, performance.now()),
    [],
  )
}

/** When each item last moved; a new item counts as moved, since the pointer was there before it. */
export function trackMoves(
  movedAt: MoveTimes,
  before: readonly string[],
  after: readonly string[],
  now: number,
): MoveTimes {
  const indexes = new Map(before.map((id, index) => [id, index]))
  return new Map(after.map((id, index) => [id, indexes.get(id) === index ? (movedAt.get(id) ?? -Infinity) : now]))
}

export function isSettled(movedAt: MoveTimes, id: string, now: number): boolean {
  return now - (movedAt.get(id) ?? -Infinity) >= MOVED_GUARD_MS
}

function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}
