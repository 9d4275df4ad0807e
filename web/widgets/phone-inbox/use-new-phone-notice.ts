import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PhoneRequest } from '../../../shared/phone-requests.ts'

/** Calls `onArrival` when a new phone waits, and returns the sentence for screen readers. */
export function useNewPhoneNotice(requests: readonly PhoneRequest[] | undefined, onArrival: () => void): string {
  const known = useRef<ReadonlySet<string> | null>(null)
  const [sentence, setSentence] = useState('')
  const arrive = useEffectEvent(onArrival)

  useEffect(() => {
    if (!requests) return
    const before = known.current
    known.current = new Set(requests.map(({ id }) => id))
    const arrived = before ? requests.filter(({ id }) => !before.has(id)) : []
    setSentence(arrivalSentence(arrived)) // empty in between, so that a repeated sentence is read again
    if (arrived.length > 0) arrive()
  }, [requests])

  return sentence
}

function arrivalSentence([first, ...others]: readonly PhoneRequest[]): string {
  if (!first) return ''
  if (others.length === 0) return `A new phone of ${first.username} waits for you.`
  return `${others.length + 1} more phones wait for you.`
}
