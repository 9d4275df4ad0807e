import type { RoomUser } from '../../../../shared/room-users.ts'

export const UNDO_MS = 10_000

/** What brings the room back to how it was before Mute All; null when that changed nothing. */
export interface UndoMuteAll {
  /** Only this clears the flag, but it opens everybody, */
  readonly unmuteAll: boolean
  /** so those who were muted one by one are muted again after it. */
  readonly mute: readonly string[]
  /** The flag was on before: only those who had been let speak in spite of it are opened. */
  readonly unmute: readonly string[]
}

export function undoOfMuteAll(
  flagBefore: boolean,
  usersBefore: readonly Pick<RoomUser, 'id' | 'is_muted'>[],
): UndoMuteAll | null {
  const idsWhere = (is_muted: boolean) => usersBefore.filter((user) => user.is_muted === is_muted).map(({ id }) => id)
  if (!flagBefore) return { unmuteAll: true, mute: idsWhere(true), unmute: [] }
  const unmute = idsWhere(false)
  return unmute.length === 0 ? null : { unmuteAll: false, mute: [], unmute }
}
