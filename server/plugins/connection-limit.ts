import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { siteNetwork } from '../lib/address-group.ts'
import { GroupedSets } from '../lib/grouped-sets.ts'
import { openFilesLimit } from '../lib/open-files-limit.ts'

export interface ConnectionLimits {
  /** Connections that have not sent a whole request. */
  silent: number
  /** All connections. */
  open: number
}

/** Twice the phones of a large hall behind one address, which all connect at once after a restart. */
const MAX_SILENT = 4_000
/** Left to the files that the server opens, and its connections to the database, Redis and Zoom. */
const RESERVED_FILES = 1_000

interface Connection {
  network: string
  /** The whole requests that are being answered. */
  running: number
}

/**
 * Bounds the connections on which nothing is being answered. Where there are too many, the oldest of the network with
 * the most gives way: behind a proxy all are of the proxy's. A connection on which a request is being answered, such as
 * a stream, is never ended.
 */
export function limitConnections(server: Server, limits: ConnectionLimits = defaultLimits()): void {
  const connections = new Map<Socket, Connection>()
  const silent = new GroupedSets<Socket>()
  const unused = new GroupedSets<Socket>() // the silent ones, and those between two requests

  const forget = (socket: Socket) => {
    const { network } = connections.get(socket) ?? {}
    if (network === undefined) return
    connections.delete(socket)
    silent.delete(network, socket)
    unused.delete(network, socket)
  }
  const end = (socket: Socket) => {
    forget(socket)
    socket.destroy()
  }

  server.prependListener('connection', (socket: Socket) => {
    const network = siteNetwork(socket.remoteAddress ?? '')
    connections.set(socket, { network, running: 0 })
    silent.add(network, socket)
    unused.add(network, socket)
    socket.once('close', () => forget(socket))
    if (silent.size > limits.silent) end(silent.oldestOfLargest() ?? socket)
    if (connections.size > limits.open) end(unused.oldestOfLargest() ?? socket)
  })

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    let isOver = false
    let isWhole = false
    const handleWhole = () => {
      if (isOver) return
      isWhole = true
      connection.running++
      silent.delete(connection.network, socket)
      unused.delete(connection.network, socket)
    }
    if (hasBody(request)) request.once('end', handleWhole)
    else handleWhole()
    response.once('close', () => {
      isOver = true
      if (!isWhole) return
      connection.running--
      if (connection.running === 0 && connections.has(socket)) unused.add(connection.network, socket)
    })
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function defaultLimits(): ConnectionLimits {
  const files = openFilesLimit()
  return { silent: Math.min(MAX_SILENT, files / 4), open: files - Math.min(RESERVED_FILES, files / 4) }
}
