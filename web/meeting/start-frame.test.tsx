import { beforeEach, expect, test, vi } from 'vitest'
import { APP_PORT, FRAME_READY } from './messages.ts'
import { startFrame } from './start-frame.ts'

const PHONE = 'http://phone.localhost:3000'
const app = { postMessage: vi.fn() }

beforeEach(() => {
  const site = document.createElement('script')
  Object.assign(site, { id: 'site-info', type: 'application/json' })
  site.textContent = JSON.stringify({ phone_url: PHONE, demo_zoom: true })
  document.head.append(site)
  vi.stubGlobal('parent', app)
  return () => site.remove()
})

/** Offers a port, sends an order over it, and collects the answers. */
function offer(origin: string, data: unknown = APP_PORT, source: unknown = app) {
  const { port1, port2 } = new MessageChannel()
  const answers: unknown[] = []
  port1.onmessage = (event) => answers.push(event.data)
  const message = new MessageEvent('message', { data, origin })
  Object.defineProperties(message, { ports: { value: [port2] }, source: { value: source } })
  window.dispatchEvent(message)
  port1.postMessage({ type: 'microphone', id: 1, on: false })
  return { answers, port1, port2 }
}

test('the frame obeys one port, which the phone app that holds it has handed over', async () => {
  startFrame()
  expect(app.postMessage.mock.calls).toEqual([[FRAME_READY, PHONE]])
  const refused = [offer('http://evil.test'), offer(PHONE, 'else'), offer(PHONE, APP_PORT, window)]
  const taken = offer(PHONE)
  refused.push(offer(PHONE))
  await expect.poll(() => taken.answers).toEqual([{ type: 'done', id: 1, error: null }])
  expect(refused.map(({ answers }) => answers)).toEqual([[], [], [], []])
  for (const { port1, port2 } of [taken, ...refused]) {
    port1.close()
    port2.close()
  }
})
