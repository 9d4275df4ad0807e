import type { RoomEvent } from '../shared/room-events.ts'
import type { Phone } from './participant.ts'

export type HeardEvent = RoomEvent & { id: string }
export type Fits = (event: HeardEvent) => boolean

/** The phone's next event that fits; a failure tells what it heard instead. */
export function nextHeard(phone: Phone, fits: Fits, timeoutMs: number): Promise<HeardEvent> {
  const others: string[] = []
  return waitOn(phone, timeoutMs, (resolve) => {
    const onEvent = (event: HeardEvent) => (fits(event) ? resolve(event) : others.push(event.name))
    phone.on('event', onEvent)
    return { stop: () => phone.off('event', onEvent), sofar: () => `having heard: ${others.join(', ') || 'nothing'}` }
  })
}

/** Until the server has answered a call that acknowledged the event. */
export function nextAcknowledged(phone: Phone, id: string, timeoutMs: number): Promise<void> {
  return waitOn(phone, timeoutMs, (resolve) => {
    const onAcknowledged = ({ ids }: { ids: string[] }) => ids.includes(id) && resolve()
    phone.on('acknowledged', onAcknowledged)
    return { stop: () => phone.off('acknowledged', onAcknowledged), sofar: () => `with ${id} not acknowledged` }
  })
}

type Watch = { stop: () => void; sofar: () => string }

function waitOn<T>(phone: Phone, timeoutMs: number, watch: (resolve: (value: T) => void) => Watch): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const { stop, sofar } = watch(resolve)
  const fail = (why: string) => reject(new Error(`${phone.user.username} ${why}, ${sofar()}`))
  const onEnded = (reason: string) => fail(`is out of the room (${reason})`)
  const timer = setTimeout(() => fail(`waited ${timeoutMs} ms in vain`), timeoutMs)
  phone.on('ended', onEnded)
  return promise.finally(() => {
    stop()
    clearTimeout(timer)
    phone.off('ended', onEnded)
  })
}
