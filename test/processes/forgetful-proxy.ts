import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Long enough for PostgreSQL to commit. */
const COMMIT_MS = 500

/** Forwards to PostgreSQL. A connection that has sent this text is cut instead of being answered to its commit. */
export async function startForgetfulProxy(
  to: number,
  marked: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const outgoing = connect(to, '127.0.0.1')
    let isMarked = false
    let isCommitting = false
    const cut = () => {
      incoming.destroy()
      outgoing.destroy()
    }
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', cut).on('close', cut)
    }
    incoming.on('data', (bytes) => {
      isMarked ||= bytes.includes(marked)
      outgoing.write(bytes)
      if (isCommitting || !isMarked || !bytes.includes('commit\0')) return
      isCommitting = true
      setTimeout(cut, COMMIT_MS)
    })
    outgoing.on('data', (bytes) => {
      if (!isCommitting) incoming.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
