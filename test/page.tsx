import { cleanup, configure, render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { InjectOptions } from 'fastify'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'
import { createRouter } from '../web/app/router.tsx'
import { clearSession, keepSession } from '../web/lib/session/session.ts'
import { LightToaster } from '../web/ui/light/toast.tsx'
import type { TestServer } from './start.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Interception {
  method: Method
  path: RegExp
  act: () => Promise<unknown>
}

interface Refusal {
  method: Method
  path: RegExp
  left: number
  status: number
  body: string
}

/** A page of the console, rendered here; its calls are injected into the server of this process. */
export interface Page {
  user: UserEvent
  /** Every call that the page has made, as `POST /host/users`. */
  calls: string[]
  /** Answers such calls as a server in trouble would: the first `times` of them, or until `stop`. */
  refuse(method: Method, path: RegExp, options?: { times?: number; status?: number; message?: string }): () => void
  /** Does this once, when the next such call is on its way. */
  before(method: Method, path: RegExp, act: () => Promise<unknown>): void
}

interface Visitor {
  token: string
  id: string
  username?: string
  role: 'host' | 'master'
}

configure({
  defaultHidden: true, // no styles are loaded here: nothing tells what they would hide

  asyncUtilTimeout: 8_000,
  // Without the whole page, which hides what was looked for.
  getElementError: (message) => Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' }),
})
// What jsdom lacks, having no layout: a wide screen on which nothing ever changes its size.
window.matchMedia = (query) => ({
  matches: /min-width|prefers-reduced-motion: reduce/.test(query),
  media: query,
  onchange: null,
  addListener() {},
  removeListener() {},
  addEventListener() {},
  removeEventListener() {},
  dispatchEvent: () => false,
})
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.scrollTo = () => {}
Element.prototype.scrollIntoView = () => {}

const underWay = new Set<Promise<unknown>>()
let shownToasts: string[] = []
let observer: MutationObserver
let consoleErrors: MockInstance<typeof console.error>

beforeEach(() => {
  consoleErrors = vi.spyOn(console, 'error')
  vi.spyOn(console, 'warn').mockReturnValue() // of what cannot be focused without a layout
  shownToasts = []
  observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement) || !node.parentElement?.closest('section[aria-label$="essages"]')) continue
        const message = node.querySelector('p, .mantine-Notification-description')
        if (message) shownToasts.push(message.textContent)
      }
    }
  })
  observer.observe(document, { childList: true, subtree: true })
})

afterEach(async () => {
  expect(consoleErrors.mock.calls).toEqual([])
  observer.disconnect()
  cleanup()
  clearSession()
  sessionStorage.clear()
  localStorage.clear()
  await Promise.allSettled(underWay)
})

/** Opens a page of the console as the given visitor. */
export function openPage({ app }: Pick<TestServer, 'app'>, path: string, visitor: Visitor): Page {
  const refusals: Refusal[] = []
  const interceptions: Interception[] = []
  const calls: string[] = []

  async function answer(input: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> {
    const { pathname, search } = new URL(input, window.location.href)
    const call = pathname.replace(/^\/api/, '')
    calls.push(`${method} ${call}`)
    const at = interceptions.findIndex((one) => one.method === method && one.path.test(call))
    for (const { act } of at === -1 ? [] : interceptions.splice(at, 1)) await act()
    const refusal = refusals.find((one) => one.left > 0 && one.method === method && one.path.test(call))
    if (refusal) {
      refusal.left--
      return new Response(refusal.body, {
        status: refusal.status,
        headers: { 'content-type': 'application/json' },
      })
    }
    const answered = await app.inject({
      method: method as NonNullable<InjectOptions['method']> & Method,
      url: pathname + search,
      headers: { ...Object.fromEntries(new Headers(headers)), host: window.location.host },
      ...(typeof body === 'string' && { payload: body }),
    })
    signal?.throwIfAborted()
    const isEmpty = answered.statusCode === 204 || answered.statusCode === 304
    const answeredHeaders = Object.entries(answered.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    return new Response(isEmpty ? null : new Uint8Array(answered.rawPayload), {
      status: answered.statusCode,
      headers: answeredHeaders,
    })
  }

  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
    const answered = answer(input, init)
    underWay.add(answered)
    const done = () => underWay.delete(answered)
    answered.then(done, done)
    return answered
  })
  window.history.replaceState(null, '', path)
  const { token, id, username = 'master', role } = visitor
  keepSession(token, { id, username, role })
  render(
    <>
      <LightToaster />
      <RouterProvider router={createRouter()} />
    </>,
  )
  return {
    user: userEvent.setup(),
    calls,
    refuse(method, path, { times = Number.POSITIVE_INFINITY, status = 500, message = '' } = {}) {
      const body = message ? JSON.stringify({ success: false, message }) : '{}'
      const refusal = { method, path, left: times, status, body }
      refusals.push(refusal)
      return () => {
        refusal.left = 0
      }
    },
    before: (method, path, act) => void interceptions.push({ method, path, act }),
  }
}

/** Waits for a toast with this text and takes it off the record: the same text later is another toast. */
export async function expectToast(text: string): Promise<void> {
  await waitFor(() => expect(shownToasts).toContain(text))
  shownToasts.splice(shownToasts.indexOf(text), 1)
}

/** Presses the first such button: a narrow screen has some of them twice, and shows one. */
export async function press(
  user: UserEvent,
  name: string | RegExp,
  inside: ReturnType<typeof within> = screen,
): Promise<void> {
  const [found] = await inside.findAllByRole('button', { name })
  if (found) await user.click(found)
}

export const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
