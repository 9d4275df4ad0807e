import { useRef, useState } from 'react'
import type { Host } from '../../../../shared/hosts.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { extendSubscription, useRefreshHosts } from '../queries.ts'

/** A browser opens six connections; the others are left for the rest of the page. */
const AT_ONCE = 3

export type BulkExtend = {
  state: 'asking' | 'running' | 'done'
  done: number
  failures: { host: Host; message: string }[]
}

/** Extends many subscriptions, each by its own call, so that a failure does not stop the others. */
export function useBulkExtend() {
  const [progress, setProgress] = useState<BulkExtend>({ state: 'asking', done: 0, failures: [] })
  const started = useRef(false)
  const refresh = useRefreshHosts()

  async function run(hosts: Host[], months: number) {
    if (started.current) return
    started.current = true
    setProgress({ state: 'running', done: 0, failures: [] })
    const waiting = [...hosts]
    const failures: BulkExtend['failures'] = []
    let done = 0
    const work = async () => {
      for (let host = waiting.shift(); host; host = waiting.shift()) {
        try {
          await extendSubscription({ id: host.id, months, seenEnd: host.subscription_end_date })
        } catch (error) {
          failures.push({ host, message: messageOf(error, 'Failed to extend subscription') })
        }
        done++
        setProgress({ state: 'running', done, failures: [...failures] })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    setProgress({ state: 'done', done, failures })
    await refresh()
  }

  return { progress, run }
}
