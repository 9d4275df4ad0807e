import type { APIResponse, Route } from '@playwright/test'

/** What the server really answers to a request of the page, to be changed. Only a browser knows names in localhost. */
export function realAnswer(route: Route): Promise<APIResponse> {
  const url = new URL(route.request().url())
  const { host } = url
  url.hostname = '127.0.0.1'
  return route.fetch({ url: url.href, headers: { ...route.request().headers(), host } })
}
