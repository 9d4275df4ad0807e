/** Returns the wait after failed attempt number `attempt`, counted from 1: doubles each time, up to `longest`. */
export function backoff(attempt: number, { first, longest }: { first: number; longest: number }): number {
  return Math.min(longest, first * 2 ** (attempt - 1))
}
