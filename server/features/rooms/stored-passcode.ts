import type { Deps } from '../../deps.ts'

export const passcodeAad = (roomId: string) => `rooms.passcode:${roomId}`

/** Use only for the host itself and for join tickets. */
export function decryptPasscode(
  { secrets, log }: Pick<Deps, 'secrets' | 'log'>,
  room: { id: string; passcode_ciphertext: string | null },
): string | null {
  if (!room.passcode_ciphertext) return null
  try {
    return secrets.decrypt(room.passcode_ciphertext, passcodeAad(room.id))
  } catch (err) {
    log.error({ err, room_id: room.id }, 'room.passcode_not_decrypted')
    return null
  }
}
