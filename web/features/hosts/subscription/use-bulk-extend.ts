import { useRef, useState } from 'react'
import type { Host } from '../../../../shared/hosts.ts'
import { isOutcomeUnknown, messageOf, randomUuid } from '../../../lib/api-client.ts'
import { extendSubscription, useRefreshHosts } from '../queries.ts'
import { endAfter } from './extension.ts'

/** A browser opens six connections; the others are left for the rest of the page. */
const AT_ONCE = 3

export type BulkExtend = {
  state: 'asking' | 'running' | 'done'
  done: number
  total: number
  failures: FailedExtension[]
}

/** `unansweredEnd`: the end that the list shows if the extension was done after all; null if it was refused. */
export type FailedExtension = { host: Host; message: string; unansweredEnd: string | null }

/**
 * Extends many subscriptions, each by its own call, so that a failure does not stop the others. Running it again for
 * the unanswered ones repeats their calls, so that no host is extended twice.
 */
export function useBulkExtend() {
  const [progress, setProgress] = useState<BulkExtend>({ state: 'asking', done: 0, total: 0, failures: [] })
  const [key] = useState(randomUuid)
  const isRunning = useRef(false)
  const refresh = useRefreshHosts()

  async function run(hosts: Host[], months: number) {
    if (isRunning.current) return
    isRunning.current = true
    const total = hosts.length
    const failures = progress.failures.filter(({ unansweredEnd }) => unansweredEnd === null)
    let done = 0
    const show = (state: BulkExtend['state']) => setProgress({ state, done, total, failures: [...failures] })
    show('running')
    const waiting = [...hosts]
    const work = async () => {
      for (let host = waiting.shift(); host; host = waiting.shift()) {
        const end = endAfter(host, months)
        const extension = { id: host.id, months, seenEnd: host.subscription_end_date }
        try {
          await extendSubscription(extension, { idempotencyKey: `${key}-${host.id}` })
        } catch (error) {
          const message = messageOf(error, 'Failed to extend subscription')
          failures.push({ host, message, unansweredEnd: isOutcomeUnknown(error) ? end : null })
        }
        done++
        show('running')
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    show('done')
    isRunning.current = false
    await refresh()
  }

  return { progress, run }
}
