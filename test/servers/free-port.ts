import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Each file is a port that a process has reserved for a server, which may only listen much later. */
const CLAIMS = join(tmpdir(), 'parley-ports')

/** Reserves a loopback port for a server of this process, below the system's ephemeral ports. */
export async function freePort(): Promise<number> {
  await mkdir(CLAIMS, { recursive: true })
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if ((await isClaimed(port)) && (await isFree(port))) return port
  }
}

async function isClaimed(port: number): Promise<boolean> {
  const path = join(CLAIMS, String(port))
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    const owner = Number(await readFile(path, 'utf8').catch(() => ''))
    if (owner > 0 && !isAlive(owner)) await rm(path, { force: true }) // the process that reserved it has ended
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const isListening = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => resolve(true))
  })
  await new Promise((resolve) => probe.close(resolve))
  return isListening
}
