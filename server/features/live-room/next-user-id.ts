import { comparable } from '../../../shared/normalise.ts'

const HIGHEST = 999_999

/** The next free U000001: one above the highest in use, whatever its case; after the last one, the lowest that is free. */
export function nextUserId(users: { user_id: string }[]): string {
  const numbers = users.map(({ user_id }) => Number(/^u(\d{6})$/.exec(comparable(user_id))?.[1] ?? 0))
  const above = numbers.reduce((highest, number) => Math.max(highest, number), 0) + 1
  return `U${String(above > HIGHEST ? lowestFree(new Set(numbers)) : above).padStart(6, '0')}`
}

function lowestFree(taken: Set<number>): number {
  let number = 1
  while (taken.has(number)) number++
  return number
}
