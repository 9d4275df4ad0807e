import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { POPUP_NAME } from '../../../../shared/oauth-popup.ts'
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
  const send = (target: EventTarget, data: unknown, origin = OWN) =>
    target.dispatchEvent(new MessageEvent('message', { data, origin }))
  return { popup, page, channel, received, stop, send }
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

describe('watchZoomPopup', () => {
  test('receives a result from the window and from the broadcast', () => {
    const { page, channel, received, send } = aWatch()
    send(page, success('one'))
    send(channel, success('two'))
    expect(received).toEqual(['result one', 'result two'])
  })

  test('ignores other origins and malformed messages', () => {
    const { page, received, send } = aWatch()
    send(page, success('one'), 'http://master.localhost:3001')
    send(page, success('one'), 'https://evil.example')
    send(page, { type: 'ZOOM_OAUTH_SUCCESS' })
    send(page, 'ZOOM_OAUTH_SUCCESS')
    send(page, null)
    send(page, success())
    expect(received).toEqual([])
  })

  test('shows the message of an error, and stops listening', () => {
    const { page, received, send } = aWatch()
    send(page, failure('Zoom access was denied.'))
    send(page, success('late'))
    vi.advanceTimersByTime(FIVE_MINUTES)
    expect(received).toEqual(['OAuth failed: Zoom access was denied.'])
  })

  test('shows an error without a message as unknown', () => {
    const { page, received, send } = aWatch()
    send(page, failure())
    expect(received).toEqual(['OAuth failed: Unknown error'])
  })

  test('waits a moment for the result of a closed window', () => {
    const { popup, channel, received, send } = aWatch()
    popup.closed = true
    vi.advanceTimersByTime(700)
    send(channel, success('one'))
    vi.advanceTimersByTime(10_000)
    expect(received).toEqual(['result one'])
  })

  test('reports within a second a window closed without a result, and accepts a late result if it was only hidden', () => {
    const { popup, channel, received, send } = aWatch()
    popup.closed = true
    vi.advanceTimersByTime(1000)
    send(channel, success('late'))
    expect(received).toEqual(['closed', 'result late'])
  })

  test('closes the window after five minutes', () => {
    const { popup, page, received, send } = aWatch()
    vi.advanceTimersByTime(FIVE_MINUTES - 1)
    expect(received).toEqual([])
    vi.advanceTimersByTime(1)
    send(page, success('late'))
    expect(received).toEqual(['timeout'])
    expect(popup.close).toHaveBeenCalled()
  })

  test('ignores everything after a stop', () => {
    const { popup, page, received, stop, send } = aWatch()
    stop()
    popup.closed = true
    send(page, success('one'))
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
