import { createHash, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import type { QueuePlace } from './passwords.ts'

export const passwordAad = (id: string) => `room_users.password:${id}`

type StoredPassword = { id: string; password_hash: string | null; password_ciphertext: string }

/** Checks an imported password against its encrypted copy until it is hashed, in the same time. */
export async function isUserPassword(
  { passwords, secrets }: Pick<Deps, 'passwords' | 'secrets'>,
  user: StoredPassword | undefined,
  password: string,
  turn: QueuePlace,
): Promise<boolean> {
  const isMatch = await passwords.isRight(password, user?.password_hash ?? null, turn)
  if (!user || user.password_hash !== null) return isMatch
  const stored = secrets.decrypt(user.password_ciphertext, passwordAad(user.id))
  return timingSafeEqual(digest(password), digest(stored))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
