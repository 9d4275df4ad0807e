import type { ReceivedEvent } from '../shared/phone/phone.ts'
import type { SimulatedPhone } from './phone.ts'

export type EventMatcher = (event: ReceivedEvent) => boolean

/** Resolves with the phone's next matching event; a failure lists the others that arrived. */
export function waitForEvent(phone: SimulatedPhone, matches: EventMatcher, timeoutMs: number): Promise<ReceivedEvent> {
  const others: string[] = []
  return waitOn(phone, timeoutMs, (resolve) => {
    const onEvent = (event: ReceivedEvent) => (matches(event) ? resolve(event) : others.push(event.name))
    phone.on('event', onEvent)
    return { stop: () => phone.off('event', onEvent), progress: () => `received: ${others.join(', ') || 'nothing'}` }
  })
}

/** Resolves once the server has answered a call that acknowledged the event. */
export function waitForAcknowledgement(phone: SimulatedPhone, id: string, timeoutMs: number): Promise<void> {
  return waitOn(phone, timeoutMs, (resolve) => {
    const onAcknowledged = ({ ids }: { ids: string[] }) => ids.includes(id) && resolve()
    phone.on('acknowledged', onAcknowledged)
    return { stop: () => phone.off('acknowledged', onAcknowledged), progress: () => `${id} is not acknowledged` }
  })
}

type Watch = { stop: () => void; progress: () => string }

function waitOn<T>(
  phone: SimulatedPhone,
  timeoutMs: number,
  watch: (resolve: (value: T) => void) => Watch,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const { stop, progress } = watch(resolve)
  const fail = (why: string) => reject(new Error(`${phone.user.username} ${why}; ${progress()}`))
  const onEnded = (reason: string) => fail(`is out of the room (${reason})`)
  const timer = setTimeout(() => fail(`timed out after ${timeoutMs} ms`), timeoutMs)
  phone.on('ended', onEnded)
  return promise.finally(() => {
    stop()
    clearTimeout(timer)
    phone.off('ended', onEnded)
  })
}
