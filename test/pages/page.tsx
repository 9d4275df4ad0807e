import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { timeoutManager } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { InjectOptions } from 'fastify'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'
import type { ConsoleRole } from '../../shared/auth.ts'
import { createRouter } from '../../web/app/router.tsx'
import { dismissLightToast } from '../../web/lib/light-toast.ts'
import { setHandOver, takeTokenFromAddress } from '../../web/lib/session/hand-over.ts'
import { startSession } from '../../web/lib/session/restore-session.ts'
import { clearSession, setSignedIn } from '../../web/lib/session/session.ts'
import { site } from '../../web/lib/site.ts'
import { LightToaster } from '../../web/ui/base/toast.tsx'
import type { TestServer } from '../servers/start.ts'
import { recordToasts } from './record-toasts.ts'

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

interface Refused {
  times?: number
  status?: number
  message?: string
  errors?: { path: string; msg: string }[]
}

/** A page of the console, rendered here, with its calls injected into the server of this process. */
export interface Page {
  user: UserEvent
  /** Every call that the page has made, such as `POST /host/users`. */
  calls: string[]
  /** Refuses matching calls as a failing server would (status 0: no response): the first `times`, or until `stop`. */
  refuse(method: Method, path: RegExp, options?: Refused): () => void
  /** Lets the next matching call reach the server, but loses its response, or replaces it as a proxy does. */
  loseAnswer(method: Method, path: RegExp, proxyStatus?: number): void
  /** Lets the next matching call reach the server, and holds its response until the returned function is called. */
  holdAnswer(method: Method, path: RegExp): () => void
  /** Changes the `data` of matching responses, until the next call of this. */
  change(path: RegExp, data: Record<string, unknown>): void
  /** Runs the action once, when the next matching call is pending. */
  before(method: Method, path: RegExp, act: () => Promise<unknown>): void
}

interface Visitor {
  token: string
  id: string
  username?: string
  role: ConsoleRole
}

timeoutManager.setTimeoutProvider({
  setTimeout: (callback, delay) => setTimeout(callback, delay / 20), // shortens the delay before a query's next attempt
  clearTimeout: (timer: NodeJS.Timeout | undefined) => clearTimeout(timer),
  setInterval: (callback, delay) => setInterval(callback, delay / 5), // shortens the interval between polls
  clearInterval: (timer: NodeJS.Timeout | undefined) => clearInterval(timer),
})

const hostSite = { ...site }
const SITE_HOSTS = { public: 'localhost', host: 'host.localhost', master: 'master.localhost' }
const siteHostOf = (visitor?: Visitor) =>
  visitor ? SITE_HOSTS[visitor.role === 'master' ? 'master' : 'host'] : SITE_HOSTS[site.site]
const underWay = new Set<Promise<unknown>>()
const releases: (() => void)[] = []
let savedFiles: { name: string; content: Blob }[] = []

/** Registers the hooks around each test. Call it in each file, since hooks belong to the file that registers them. */
export function watchPages(): void {
  let observer: MutationObserver
  let consoleErrors: MockInstance<typeof console.error>

  beforeEach(() => {
    consoleErrors = vi.spyOn(console, 'error')
    vi.spyOn(console, 'warn').mockReturnValue() // for warnings about focus, which needs a layout
    observer = recordToasts()

    savedFiles = []
    const blobs: Blob[] = []
    URL.createObjectURL = (blob: Blob) => `blob:${blobs.push(blob) - 1}`
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      const content = blobs[Number(this.href.slice('blob:'.length))]
      if (content) savedFiles.push({ name: this.download, content })
    })
  })

  afterEach(async () => {
    observer.disconnect()
    act(() => modals.closeAll()) // a question that is left open would not open again
    cleanup()
    clearSession()
    setHandOver(null)
    Object.assign(site, hostSite)
    dismissLightToast()
    sessionStorage.clear()
    localStorage.clear()
    for (const release of releases.splice(0)) release()
    await Promise.allSettled(underWay)
    expect(consoleErrors.mock.calls).toEqual([]) // last, so that a failure does not spoil the next test
  })
}

/** Opens a page of the console for a signed-in user or a visitor. */
export function openPage({ app }: Pick<TestServer, 'app'>, path: string, visitor?: Visitor): Page {
  const refusals: Refusal[] = []
  const interceptions: Interception[] = []
  const calls: string[] = []
  let lost: { method: Method; path: RegExp; proxyStatus: number | undefined } | undefined
  let held: { method: Method; path: RegExp; until: Promise<void> } | undefined
  let changed: { path: RegExp; data: Record<string, unknown> } | undefined

  async function answer(input: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> {
    const { pathname, search } = new URL(input, window.location.href)
    const call = pathname.replace(/^\/api/, '')
    calls.push(`${method} ${call}`)
    await null // so that a test can set up refusals after opening the page
    const at = interceptions.findIndex((one) => one.method === method && one.path.test(call))
    for (const { act } of at === -1 ? [] : interceptions.splice(at, 1)) await act()
    const refusal = refusals.find((one) => one.left > 0 && one.method === method && one.path.test(call))
    if (refusal) {
      refusal.left--
      if (refusal.status === 0) throw new TypeError('Failed to fetch')
      return new Response(refusal.body, {
        status: refusal.status,
        headers: { 'content-type': 'application/json' },
      })
    }
    const answered = await app.inject({
      method: method as NonNullable<InjectOptions['method']> & Method,
      url: pathname + search,
      headers: { ...Object.fromEntries(new Headers(headers)), host: siteHostOf(visitor) },
      ...(typeof body === 'string' && { payload: body }),
    })
    if (held?.method === method && held.path.test(call)) {
      const { until } = held
      held = undefined
      await until
    }
    signal?.throwIfAborted()
    if (lost?.method === method && lost.path.test(call)) {
      const { proxyStatus } = lost
      lost = undefined
      if (proxyStatus) return new Response('<h1>Bad gateway</h1>', { status: proxyStatus })
      throw new TypeError('Failed to fetch')
    }
    const isEmpty = answered.statusCode === 204 || answered.statusCode === 304
    const answeredHeaders = Object.entries(answered.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    const init = { status: answered.statusCode, headers: answeredHeaders }
    if (isEmpty) return new Response(null, init)
    if (!changed?.path.test(call)) return new Response(new Uint8Array(answered.rawPayload), init)
    const real = answered.json()
    return new Response(JSON.stringify({ ...real, data: { ...real.data, ...changed.data } }), init)
  }

  const outgoing = fetch
  vi.stubGlobal('fetch', (input: string | URL, init: RequestInit = {}) => {
    if (typeof input !== 'string' || !input.startsWith('/')) return outgoing(input, init) // the server's call to Zoom
    const answered = answer(input, init)
    underWay.add(answered)
    const done = () => underWay.delete(answered)
    answered.then(done, done)
    return answered
  })
  window.history.replaceState(null, '', path)
  const token = takeTokenFromAddress(window.location, window.history, true)
  if (visitor) {
    const { id, username = 'master', role } = visitor
    setSignedIn(visitor.token, { id, username, role })
  }
  if (token) void startSession(token)
  render(
    <>
      <LightToaster />
      <RouterProvider router={createRouter()} />
    </>,
  )
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
  let copied = ''
  const clipboard = {
    readText: async () => copied,
    // Rejects if a text rejects, as in a browser.
    write: async (items: ClipboardItem[]) => {
      for (const item of items) copied = await (await item.getType('text/plain')).text()
    },
  }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
  return {
    user,
    calls,
    refuse(method, path, { times = Number.POSITIVE_INFINITY, status = 500, message = '', errors } = {}) {
      const body = message ? JSON.stringify({ success: false, message, errors }) : '{}'
      const refusal = { method, path, left: times, status, body }
      refusals.push(refusal)
      return () => {
        refusal.left = 0
      }
    },
    loseAnswer(method, path, proxyStatus) {
      lost = { method, path, proxyStatus }
    },
    holdAnswer(method, path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = { method, path, until: promise }
      releases.push(resolve)
      return resolve
    },
    change(path, data) {
      changed = { path, data }
    },
    before: (method, path, act) => void interceptions.push({ method, path, act }),
  }
}

/** Waits for a toast with this text and removes it: the same text later is another one; a fourth would be queued. */
export async function expectToast(text: string): Promise<void> {
  await waitFor(() => expect(window.shownToasts).toContain(text))
  window.shownToasts.splice(window.shownToasts.indexOf(text), 1)
  notifications.clean()
}

/** Runs everything due within this time after an action at once, such as a self-closing form, or a retry. */
export async function passTime<T>(ms: number, act: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], shouldAdvanceTime: true })
  try {
    const result = await act()
    await vi.advanceTimersByTimeAsync(ms)
    return result
  } finally {
    vi.useRealTimers()
  }
}

/** Waits for the CSV file that the page saves next. */
export async function savedCsv(): Promise<{ name: string; lines: string[] }> {
  const { name, content } = await waitFor(() => {
    const [file] = savedFiles.splice(0, 1)
    if (!file) throw new Error('No file was saved')
    return file
  })
  return { name, lines: (await content.text()).replace('\uFEFF', '').trimEnd().split('\r\n') }
}

/** Counts the saved files that `savedCsv` has not taken. */
export const savedCount = () => savedFiles.length

/** Enters a whole text at once; letter by letter takes a hundred times as long. */
export const fill = (field: HTMLElement, value: string) => void fireEvent.change(field, { target: { value } })

/** Presses the first matching button: some exist twice, of which a narrow screen shows one. */
export async function press(
  user: UserEvent,
  name: string | RegExp,
  inside: ReturnType<typeof within> = screen,
): Promise<void> {
  const [found] = await inside.findAllByRole('button', { name })
  if (found) await user.click(found)
}

/** The button takes no press now, and a browser leaves the focus on it, which a natively disabled one loses. */
export function expectOffWithFocus(button: HTMLElement): void {
  const [isOff, isLost] = [button.matches('[aria-disabled="true"]'), button.matches(':disabled')]
  expect({ isOff, isLost, hasFocus: document.activeElement === button }).toEqual({
    isOff: true,
    isLost: false,
    hasFocus: true,
  })
}

export const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
