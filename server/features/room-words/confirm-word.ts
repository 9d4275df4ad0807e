import type { Hearing, PhoneWords } from '../../../shared/phone-words.ts'
import type { PhoneActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { LiveRoom } from '../live-room/live-room.ts'

/** Notes that the user has read the word, or has answered. A repeat changes nothing; a word that is gone is not found. */
export async function confirmWord(
  deps: Deps,
  { id, host_id }: PhoneActor,
  word: string,
  answer: Hearing | null,
): Promise<PhoneWords> {
  const confirm = (room: LiveRoom) => {
    const standing = room.words.find((one) => one.id === word)
    if (answer !== null && standing?.asks === false) throw new AppError('conflict', 'This word asks for no answer.')
    return room.commands.confirmWord(id, word, answer)
  }
  // Another server may have sent the phone the word before this one had it.
  const words = (await confirm(await deps.rooms.get(host_id))) ?? (await confirm(await deps.rooms.getFresh(host_id)))
  if (!words) throw new AppError('not_found', 'This word no longer stands.')
  return words
}
