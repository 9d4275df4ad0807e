import type { Page } from '@playwright/test'
import type { SeatTicket } from '../../../shared/seat.ts'
import { type FromSeat, SEAT_PORT, SEAT_READY, type ToSeat } from '../../../web/seat/messages.ts'
import type { ServerProcess } from '../../servers/server-process.ts'

type Seat = { port: MessagePort; messages: FromSeat[]; lock?: ReturnType<typeof setInterval> }
declare const window: Window & { seat: Seat }

export const seatUrl = ({ phone_url }: Pick<ServerProcess, 'phone_url'>) =>
  `${phone_url.replace('//', '//meeting.')}/seat`

/** Holds the frame of a seat in a page of the host site, in place of the console, and speaks with it over its port. */
export async function openSeatFrame(page: Page, server: ServerProcess) {
  await page.goto(`${server.host_url}/login`)
  const names = { url: seatUrl(server), ready: SEAT_READY, offer: SEAT_PORT }
  await page.evaluate(({ url, ready, offer }) => {
    const { origin } = new URL(url)
    const frame = document.createElement('iframe')
    Object.assign(frame, { src: url, title: 'Seat', allow: '', width: '480', height: '320' })
    return new Promise<void>((resolve) => {
      window.addEventListener('message', (event) => {
        if (event.origin !== origin || event.data !== ready) return
        const { port1, port2 } = new MessageChannel()
        const messages: FromSeat[] = []
        port1.onmessage = ({ data }) => messages.push(data)
        Object.assign(window, { seat: { port: port1, messages } })
        frame.contentWindow?.postMessage(offer, origin, [port2])
        resolve()
      })
      document.body.replaceChildren(frame)
    })
  }, names)

  const send = (message: ToSeat) => page.evaluate((data) => window.seat.port.postMessage(data), message)
  const messages = () => page.evaluate(() => window.seat.messages)
  async function take<T extends FromSeat['type']>(type: T) {
    return (await messages()).filter((one): one is Extract<FromSeat, { type: T }> => one.type === type)
  }

  return {
    ...{ page, send, take },
    sendAnything: (data: unknown) => page.evaluate((given) => window.seat.port.postMessage(given), data),
    join: (ticket: SeatTicket) => send({ type: 'join', ticket, as: 'host', silent: true, language: 'en-US' }),
    /** Lets the guard mute everybody, and says so once a second, as a console does. */
    lock: () =>
      page.evaluate(() => {
        const { seat } = window
        const lock = () => seat.port.postMessage({ type: 'allow', lock: true, keys: [], at: Date.now() })
        clearInterval(seat.lock)
        seat.lock = setInterval(lock, 1_000)
        lock()
      }),
    order: (id: string, what: Extract<ToSeat, { type: 'do' }>['what'], user_id?: number) =>
      send({ type: 'do', id, what, user_id }),
    state: async () => (await take('state')).at(-1),
    outcomes: async () => (await take('done')).map(({ id, outcome }) => `${id} ${outcome}`),
    /** Everybody as the messages so far say. */
    async people() {
      const people = new Map<string, Extract<FromSeat, { type: 'people' }>['attendees'][number]>()
      for (const { full, attendees, left } of await take('people')) {
        if (full) people.clear()
        for (const key of left) people.delete(key)
        for (const attendee of attendees) people.set(attendee.key, attendee)
      }
      return [...people.values()]
    },
  }
}
