import { http } from '../servers/server-process.ts'

interface Load {
  /** Names in the order in which they were sent, and of those that were confirmed. */
  sent: string[]
  confirmed: string[]
  stop(): Promise<void>
}

/** Adds one user after the other until it is stopped. */
export function addUsers(server: { port: number }, token: string): Load {
  const load = { sent: [] as string[], confirmed: [] as string[] }
  let isEnding = false
  const adding = (async () => {
    for (let n = 1; !isEnding; n++) {
      const username = `load ${String(n).padStart(6, '0')}`
      load.sent.push(username)
      const body = { username, user_id: `L${String(n).padStart(6, '0')}`, password: 'a lamp' }
      for (;;) {
        const { status } = await http(server, 'POST', '/host/users', { token, body })
        if (status === 200) break
        if (status !== 429) throw new Error(`${username} was answered with ${status}`)
      }
      load.confirmed.push(username)
    }
  })()
  adding.catch(() => {}) // `stop` throws it
  return {
    ...load,
    async stop() {
      isEnding = true
      await adding
    },
  }
}
