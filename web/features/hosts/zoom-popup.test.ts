import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { POPUP_NAME } from '../../../shared/oauth-popup.ts'
import { openZoomPopup, safeAddress, watchZoomPopup } from './zoom-popup.ts'

const OWN = 'http://master.localhost:3000'
const FIVE_MINUTES = 5 * 60_000

function aWatch() {
  const popup = { closed: false, close: vi.fn() }
  const page = new EventTarget()
  const channel = new EventTarget()
  const received: string[] = []
  const stop = watchZoomPopup({
    popup,
    page,
    channel,
    origins: [OWN],
    timeoutMs: FIVE_MINUTES,
    onResult: (id) => received.push(`result ${id}`),
    onError: (message) => received.push(message),
    onClosed: () => received.push('closed'),
    onTimeout: () => received.push('timeout'),
  })
  const say = (target: EventTarget, data: unknown, origin = OWN) =>
    target.dispatchEvent(new MessageEvent('message', { data, origin }))
  return { popup, page, channel, received, stop, say }
}

const success = (oauth_result_id?: string) => ({
  type: 'ZOOM_OAUTH_SUCCESS',
  data: { status: 'integrated', oauth_result_id },
})
const failure = (error_message?: string) => ({ type: 'ZOOM_OAUTH_ERROR', data: { error: 'x', error_message } })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('what the Zoom window reports', () => {
  test('a result is received from the window and from the broadcast alike', () => {
    const { page, channel, received, say } = aWatch()
    say(page, success('one'))
    say(channel, success('two'))
    expect(received).toEqual(['result one', 'result two'])
  })

  test('nobody else is believed, and nothing in another shape', () => {
    const { page, received, say } = aWatch()
    say(page, success('one'), 'http://master.localhost:3001')
    say(page, success('one'), 'https://evil.example')
    say(page, { type: 'ZOOM_OAUTH_SUCCESS' })
    say(page, 'ZOOM_OAUTH_SUCCESS')
    say(page, null)
    say(page, success())
    expect(received).toEqual([])
  })

  test('an error is told in its own words, and ends the listening', () => {
    const { page, received, say } = aWatch()
    say(page, failure('Zoom access was denied.'))
    say(page, success('late'))
    vi.advanceTimersByTime(FIVE_MINUTES)
    expect(received).toEqual(['OAuth failed: Zoom access was denied.'])
  })

  test('an error without words is an unknown one', () => {
    const { page, received, say } = aWatch()
    say(page, failure())
    expect(received).toEqual(['OAuth failed: Unknown error'])
  })

  test('a closed window has three seconds for its last words', () => {
    const { popup, channel, received, say } = aWatch()
    popup.closed = true
    vi.advanceTimersByTime(3400)
    say(channel, success('one'))
    vi.advanceTimersByTime(10_000)
    expect(received).toEqual(['result one'])
  })

  test('a window that is closed without a word is reported, and still received if it was only hidden from us', () => {
    const { popup, channel, received, say } = aWatch()
    popup.closed = true
    vi.advanceTimersByTime(3500)
    say(channel, success('late'))
    expect(received).toEqual(['closed', 'result late'])
  })

  test('after five minutes the window is closed and the time is up', () => {
    const { popup, page, received, say } = aWatch()
    vi.advanceTimersByTime(FIVE_MINUTES - 1)
    expect(received).toEqual([])
    vi.advanceTimersByTime(1)
    say(page, success('late'))
    expect(received).toEqual(['timeout'])
    expect(popup.close).toHaveBeenCalled()
  })

  test('after a stop nothing is received, whatever happens', () => {
    const { popup, page, received, stop, say } = aWatch()
    stop()
    popup.closed = true
    say(page, success('one'))
    vi.advanceTimersByTime(FIVE_MINUTES)
    expect(received).toEqual([])
  })
})

test('the window opens at 600 by 700 in the middle of the page, under its name', () => {
  const open = vi.fn(() => null)
  openZoomPopup({ open, screenX: 100, screenY: 50, outerWidth: 1400, outerHeight: 900 })
  expect(open).toHaveBeenCalledWith('about:blank', POPUP_NAME, 'popup,width=600,height=700,left=500,top=150')
})

test.each([
  ['https://zoom.us/oauth/authorize?state=1', 'https://zoom.us/oauth/authorize?state=1'],
  ['http://localhost:3001/oauth/authorize', 'http://localhost:3001/oauth/authorize'],
  ['javascript:alert(1)', null],
  ['data:text/html,hello', null],
  ['/oauth/authorize', null],
])('the window may be sent to %s: %s', (address, expected) => {
  expect(safeAddress(address)).toBe(expected)
})
