import { type MouseEvent, useCallback, useLayoutEffect, useRef } from 'react'
import { DOUBLE_PRESS_MS } from '../lib/once.ts'

/** Milliseconds after a move in which a click was meant for another item; the press before may be what moved it. */
export const MOVED_GUARD_MS = DOUBLE_PRESS_MS
/** The longest interval of a double click that operating systems let a person choose. */
const SLOWEST_DOUBLE_CLICK_MS = 900

export const guardIntervalOf = (detail: number) => (detail > 1 ? SLOWEST_DOUBLE_CLICK_MS : MOVED_GUARD_MS)

type MoveTimes = ReadonlyMap<string, number>
/** True if a click on the item `id` is meant for it. */
export type ClickGuard = (id: string, event: Pick<MouseEvent, 'detail'>) => boolean

/**
 * Guards a list whose items move by themselves; `ids` are in screen order, and a change of `layout` moves all of them.
 */
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
    // Enter and Space, with detail 0, follow the focus, which stays with its item when that moves.
    (id, { detail }) => {
      if (detail === 0) return true
      return isSettled(last.current.movedAt, id, performance.now(), guardIntervalOf(detail))
    },
    [],
  )
}

/** Guards a button that turns into its opposite in its place, where the focus stays as well as the pointer. */
export function useToggleGuard(act: string): (event: Pick<MouseEvent, 'detail'>) => boolean {
  const isMeant = useClickGuard([act])
  const last = useRef({ act, turnedAt: -Infinity })

  useLayoutEffect(() => {
    if (act !== last.current.act) last.current = { act, turnedAt: performance.now() }
  }, [act])

  return (event) => isMeant(act, event) && performance.now() - last.current.turnedAt >= MOVED_GUARD_MS
}

/** Records when each item last moved; a new item counts as moved, since the pointer was there before it. */
export function trackMoves(
  movedAt: MoveTimes,
  before: readonly string[],
  after: readonly string[],
  now: number,
): MoveTimes {
  const indexes = new Map(before.map((id, index) => [id, index]))
  return new Map(after.map((id, index) => [id, indexes.get(id) === index ? (movedAt.get(id) ?? -Infinity) : now]))
}

export function isSettled(movedAt: MoveTimes, id: string, now: number, guardMs = MOVED_GUARD_MS): boolean {
  return now - (movedAt.get(id) ?? -Infinity) >= guardMs
}

function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index])
}
