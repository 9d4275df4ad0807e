import { beforeEach, expect, test, vi } from 'vitest'
import { SEAT_LEFT, SEAT_PORT, SEAT_READY } from './messages.ts'
import { startSeat } from './start-seat.ts'

const HOST = 'http://host.localhost:3000'
const holder = { postMessage: vi.fn() }

beforeEach(() => {
  const site = document.createElement('script')
  Object.assign(site, { id: 'site-info', type: 'application/json' })
  site.textContent = JSON.stringify({ host_url: HOST })
  document.head.append(site)
  vi.stubGlobal('parent', holder)
  holder.postMessage.mockClear()
  return () => site.remove()
})

/** Offers a port, orders something over it, and collects the answers. */
function offer(origin: string, data: unknown = SEAT_PORT, source: unknown = holder) {
  const { port1, port2 } = new MessageChannel()
  const answers: unknown[] = []
  port1.onmessage = (event) => answers.push(event.data)
  const message = new MessageEvent('message', { data, origin })
  Object.defineProperties(message, { ports: { value: [port2] }, source: { value: source } })
  window.dispatchEvent(message)
  port1.postMessage({ type: 'do', id: 'a', what: 'mute', user_id: 'nobody' })
  port1.postMessage({ type: 'do', id: 'b', what: 'mute', user_id: 1 })
  return { answers, port1, port2 }
}

test('the seat obeys one port, which the console that holds it has handed over, and drops what is no message', async () => {
  startSeat()
  expect(holder.postMessage.mock.calls).toEqual([[SEAT_READY, HOST]])
  const refused = [
    offer('http://evil.test'),
    offer('http://master.localhost:3000'),
    offer(HOST, 'else'),
    offer(HOST, SEAT_PORT, window),
  ]
  const taken = offer(HOST)
  refused.push(offer(HOST))
  await expect.poll(() => taken.answers).toEqual([{ type: 'done', id: 'b', outcome: 'refused' }])
  expect(refused.map(({ answers }) => answers)).toEqual([[], [], [], [], []])
  for (const { port1, port2 } of [taken, ...refused]) {
    port1.close()
    port2.close()
  }
})

test('a page that Zoom’s program has left says so, and takes no port', async () => {
  history.pushState(null, '', '/seat/left')
  startSeat()
  expect(holder.postMessage.mock.calls).toEqual([[SEAT_LEFT, HOST]])
  history.pushState(null, '', '/')
})
