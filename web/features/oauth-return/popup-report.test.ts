import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OAuthMessage } from '../../../shared/oauth.ts'
import { reportAndClose } from './popup-report.ts'

const OWN = 'http://host.localhost:3000'
const MASTER = 'http://master.localhost:3000'
const MESSAGE: OAuthMessage = { type: 'ZOOM_OAUTH_SUCCESS', data: { status: 'integrated', oauth_result_id: 'r1' } }

const broadcast = vi.fn()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage = broadcast
      close() {}
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  broadcast.mockReset()
})

/** `origin` is null for another site, whose origin the browser hides. */
function anOpener(origin: string | null, closed = false) {
  return {
    closed,
    postMessage: vi.fn(),
    focus: vi.fn(),
    get location() {
      if (origin === null) throw new DOMException('Blocked', 'SecurityError')
      return { origin }
    },
  }
}

function aPage(opener: ReturnType<typeof anOpener> | null) {
  const close = vi.fn()
  return { opener, location: { origin: OWN }, setTimeout: globalThis.setTimeout, close }
}

test.each([
  ['this site itself', OWN, OWN],
  ['another site, be it whose it may', null, MASTER],
])('reports to an opener on %s with its exact origin', (_where, origin, target) => {
  const opener = anOpener(origin)
  const page = aPage(opener)
  reportAndClose(MESSAGE, page, MASTER)
  expect(opener.postMessage.mock.calls).toEqual([[MESSAGE, target]])
  expect(opener.focus).toHaveBeenCalled()
  expect(broadcast).not.toHaveBeenCalled()
  vi.advanceTimersByTime(399)
  expect(page.close).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(page.close).toHaveBeenCalledOnce()
})

test.each([
  ['no opener', null],
  ['an opener that is closed', anOpener(OWN, true)],
])('with %s broadcasts on its own origin, and closes', (_what, opener) => {
  const page = aPage(opener)
  reportAndClose(MESSAGE, page, MASTER)
  expect(broadcast.mock.calls).toEqual([[MESSAGE]])
  vi.advanceTimersByTime(400)
  expect(page.close).toHaveBeenCalledOnce()
})

test('closes where the browser has no channel to report through', () => {
  vi.stubGlobal('BroadcastChannel', undefined) // every use throws
  const page = aPage(null)
  reportAndClose(MESSAGE, page, MASTER)
  vi.advanceTimersByTime(400)
  expect(page.close).toHaveBeenCalledOnce()
})
