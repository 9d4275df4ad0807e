import { type PointerEvent, useMemo, useState } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'

/**
 * Merges a list into the previous order: users who no longer match the filter stay, those who left stay as offline, and
 * newcomers are appended.
 */
export function keepPlaces(
  before: readonly RoomUser[],
  after: readonly RoomUser[],
  online: readonly RoomUser[],
): readonly RoomUser[] {
  const current = new Map(online.map((user) => [user.id, user]))
  const known = new Set(before.map(({ id }) => id))
  return [
    ...before.map((user) => current.get(user.id) ?? { ...user, is_online: false }),
    ...after.filter(({ id }) => !known.has(id)),
  ]
}

/**
 * Freezes the order of a list while the pointer is on it. `view` names the host's choices: a new choice applies
 * immediately.
 */
export function useSteadyList(shown: readonly RoomUser[], online: readonly RoomUser[], view: string) {
  const [kept, setKept] = useState<{ view: string; users: readonly RoomUser[] } | null>(null)
  const places = kept?.view === view ? kept.users : null
  const list = useMemo(() => (places ? keepPlaces(places, shown, online) : shown), [places, shown, online])
  return {
    list,
    holdHandlers: {
      onPointerMove: ({ pointerType }: PointerEvent) => {
        if (pointerType === 'mouse' && !places) setKept({ view, users: shown })
      },
      onPointerLeave: () => setKept(null),
    },
  }
}
