import { once } from 'node:events'
import { createServer } from 'node:net'

export async function findFreePorts(count: number, from: number): Promise<number[]> {
  const free: number[] = []
  for (let port = from; free.length < count; port++) if (await isFree(port)) free.push(port)
  return free
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  } finally {
    probe.close()
  }
}
