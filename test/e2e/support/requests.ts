import type { Page, Request } from '@playwright/test'

/** Records all requests of the page from now on, in order. */
export function recordRequests(page: Page): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  return requests
}

/** Filters the requests whose path starts with this. */
export function requestsTo(requests: Request[], path: string): Request[] {
  return requests.filter((request) => new URL(request.url()).pathname.startsWith(path))
}
