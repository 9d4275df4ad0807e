import { comparable } from '../../shared/normalise.ts'

/** The next free U000001: one above the highest in use, whatever its case. */
export function nextUserId(users: { user_id: string }[]): string {
  const numbers = users
    .map(({ user_id }) => /^u(\d{1,9})$/.exec(comparable(user_id))?.[1])
    .map((digits) => Number(digits ?? 0))
  return `U${String(Math.max(0, ...numbers) + 1).padStart(6, '0')}`
}
