import type { Page } from '@playwright/test'

interface Refusal {
  /** How many calls were refused so far. */
  calls: () => number
  /** Lets all further calls through. */
  stop: () => void
}

/** Answers the page's calls of this kind as a server in trouble would: the first `times` of them, or until stopped. */
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
