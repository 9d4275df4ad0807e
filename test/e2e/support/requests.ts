import type { Page, Request } from '@playwright/test'

/** All that the page requests from now on, in order. */
export function recordRequests(page: Page): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  return requests
}

/** Those of them whose path begins like this. */
export function requestsTo(requests: Request[], path: string): Request[] {
  return requests.filter((request) => new URL(request.url()).pathname.startsWith(path))
}
