import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { CommandCall as Call, type CommandCall, type CommandDeps, CommandOutcome, execute } from './execute.ts'

const NAME = 'control.sock'
const MAX_CALL_BYTES = 64 * 1024
const CALL_TIMEOUT_MS = 10_000
/** Milliseconds for an answer; a server that has just begun answers once its database is open and migrated. */
const ANSWER_TIMEOUT_MS = 60_000
/** Codes of a connection to a socket that no server has open. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR']

/**
 * Lets programs on this machine run named commands in the server that has the embedded database open. Only the user of
 * the server may connect. A call waits until the server is ready.
 */
export class ControlSocket {
  readonly #path: string
  readonly #log: Logger
  readonly #server: Server
  readonly #ready = Promise.withResolvers<CommandDeps>()

  /** Call with the lock of the folder: it replaces a socket that a killed server has left. */
  constructor(dataDir: string, log: Logger) {
    this.#path = join(dataDir, NAME)
    this.#log = log
    this.#server = createServer({ allowHalfOpen: true }, (socket) => void this.#answer(socket))
    this.#server.on('error', (err) => log.error({ err }, 'control.failed'))
    rmSync(this.#path, { force: true })
    const mask = process.umask(0o177) // so that the socket is never open to others
    try {
      inFolder(dataDir, () => this.#server.listen(NAME))
    } finally {
      process.umask(mask)
    }
  }

  serve(deps: CommandDeps): void {
    this.#ready.resolve(deps)
  }

  close(): void {
    this.#server.close()
    rmSync(this.#path, { force: true })
  }

  async #answer(socket: Socket): Promise<void> {
    socket.setTimeout(CALL_TIMEOUT_MS, () => socket.destroy())
    socket.on('error', () => {}) // the program has ended
    try {
      const call = Call.parse(JSON.parse(await readCall(socket)))
      socket.setTimeout(0)
      const outcome = await execute(await this.#ready.promise, call)
      this.#log.info({ command: call.command, refused: 'refusal' in outcome }, 'control.command')
      socket.end(JSON.stringify(outcome))
    } catch (err) {
      this.#log.error({ err }, 'control.command_failed')
      socket.destroy()
    }
  }
}

async function readCall(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MAX_CALL_BYTES) throw new Error('The call of a command is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export const anotherUsers = (path: string) =>
  `Only the user of the server may use ${path} (EACCES). Run this as that user.`

/** Returns null if no server runs. */
export async function callServer(
  dataDir: string,
  call: CommandCall,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<CommandOutcome | null> {
  const signal = AbortSignal.timeout(timeoutMs)
  const socket = inFolder(dataDir, () => connect({ path: NAME, allowHalfOpen: true, signal }))
  try {
    socket.end(JSON.stringify(call))
    const answer = await text(socket)
    return CommandOutcome.parse(JSON.parse(answer))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (NOBODY.includes(String(code))) return null
    if (code === 'EACCES') return { refusal: anotherUsers(join(dataDir, NAME)) }
    if (signal.aborted)
      return { refusal: `The server did not answer within ${timeoutMs / 1_000} s, and may still do this. See its log.` }
    return { refusal: `The server ended before it answered (${code || 'no answer'}). See its log.` }
  }
}

/** Socket paths end at about 108 bytes, so sockets are opened by their name alone, from within their folder. */
function inFolder<T>(folder: string, open: () => T): T {
  const before = process.cwd()
  process.chdir(folder)
  try {
    return open()
  } finally {
    process.chdir(before)
  }
}
