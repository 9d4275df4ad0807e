import { act, cleanup, render } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import type { InjectOptions } from 'fastify'
import { vi } from 'vitest'
import { App } from '../../web/phone/App.tsx'
import { takeLinkParams } from '../../web/phone/sign-in/address.ts'
import { applyLanguage } from '../../web/phone/words/language.ts'
import type { TestServer } from '../servers/start.ts'

interface Refusal {
  call: RegExp
  status: number
  body: object
  headers: Record<string, string>
}

export interface PhonePage {
  user: UserEvent
  /** Every call that the page has made, such as `POST /mobile/login`. */
  calls: string[]
  /** Answers the next matching call in place of the server; status 0 means no response. */
  refuse: (call: RegExp, status: number, body?: object, headers?: Record<string, string>) => void
  /** Carries out the next matching call, and loses its answer. */
  loseAnswer: (call: RegExp) => void
  /** Carries out the next matching call, and holds its answer until the returned function has let the page have it. */
  holdAnswer: (call: RegExp) => () => Promise<void>
}

/**
 * Renders the phone app here, with its calls injected into the server of this process. The first call of each kind in
 * `unanswered` gets no response.
 */
export async function openPhonePage(
  { app }: Pick<TestServer, 'app'>,
  path = '/',
  unanswered: RegExp[] = [],
): Promise<PhonePage> {
  const calls: string[] = []
  const refusals = unanswered.map((call): Refusal => ({ call, status: 0, body: {}, headers: {} }))
  const lost: RegExp[] = []
  const held: { call: RegExp; until: Promise<void> }[] = []
  const { origin } = window.location
  const outgoing = fetch
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const url = new URL(String(input))
    if (url.origin !== origin) return outgoing(input, init) // the server's call to Zoom
    const method = init.method ?? 'GET'
    const call = `${method} ${url.pathname.replace(/^\/api/, '')}`
    calls.push(call)
    const at = refusals.findIndex((refusal) => refusal.call.test(call))
    const [refused] = at === -1 ? [] : refusals.splice(at, 1)
    if (refused?.status === 0) throw new TypeError('Failed to fetch')
    if (refused) return Response.json(refused.body, { status: refused.status, headers: refused.headers })
    const answer = await app.inject({
      method: method as NonNullable<InjectOptions['method']> & 'GET',
      url: url.pathname + url.search,
      headers: { ...Object.fromEntries(new Headers(init.headers)), host: 'phone.localhost' },
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    const heldAt = held.findIndex((holding) => holding.call.test(call))
    if (heldAt !== -1) await held.splice(heldAt, 1)[0]?.until
    init.signal?.throwIfAborted()
    const lostAt = lost.findIndex((losing) => losing.test(call))
    if (lostAt !== -1) {
      lost.splice(lostAt, 1)
      throw new TypeError('Failed to fetch')
    }
    const headers = { 'content-type': String(answer.headers['content-type']) }
    return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers })
  })
  window.history.replaceState(null, '', path)
  await applyLanguage('en')
  render(<App link={takeLinkParams()} />)
  return {
    user: userEvent.setup({ delay: null }),
    calls,
    loseAnswer: (call) => void lost.push(call),
    holdAnswer(call) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.push({ call, until: promise })
      return async () => {
        resolve()
        await act(() => new Promise((done) => setTimeout(done))) // what follows from the answer follows first
      }
    },
    refuse: (call, status, body = {}, headers = {}) => void refusals.push({ call, status, body, headers }),
  }
}

/** Simulates the end of the page before a reload. */
export function closePhonePage(): void {
  cleanup()
}
