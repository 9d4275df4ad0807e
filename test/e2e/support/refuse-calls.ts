import type { Page } from '@playwright/test'

interface Refusal {
  /** Returns the number of refused calls so far. */
  calls: () => number
  /** Lets all further calls through. */
  stop: () => void
}

/** Refuses matching calls as a failing server would: the first `times` of them, or all until stopped. */
export async function refuseCalls(
  page: Page,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  address: string,
  { times = Number.POSITIVE_INFINITY, status = 500, message = '' } = {},
): Promise<Refusal> {
  const body = message ? JSON.stringify({ success: false, message }) : '{}'
  let count = 0
  let isStopped = false
  await page.route(address, (route) => {
    if (isStopped || count === times || route.request().method() !== method) return route.fallback()
    count++
    return route.fulfill({ status, contentType: 'application/json', body })
  })
  return {
    calls: () => count,
    stop: () => {
      isStopped = true
    },
  }
}
