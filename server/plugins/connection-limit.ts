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
/** Left to the files that the server opens, some 300 of them the embedded database's, and to its own connections. */
const RESERVED_FILES = 1_000

interface Connection {
  network: string
  /** It has not sent a whole request yet. */
  isSilent: boolean
  /** Answers its last request. */
  response: ServerResponse | null
}

/**
 * Bounds the connections on which nothing is being answered. Where there are too many, the oldest of the network with
 * the most gives way: behind a proxy all are of the proxy's. A connection on which a request is being answered, such as
 * a stream, is never ended.
 */
export function limitConnections(server: Server, limits: ConnectionLimits = defaultLimits()): void {
  const connections = new Map<Socket, Connection>()
  const silent = new GroupedSets<Socket>()
  /** Holds more than those that are unused: which are in use is found out at the limit, so that polls cost nothing. */
  const maybeUnused = new GroupedSets<Socket>()

  const forget = (socket: Socket) => {
    const { network } = connections.get(socket) ?? {}
    if (network === undefined) return
    connections.delete(socket)
    silent.delete(network, socket)
    maybeUnused.delete(network, socket)
  }
  const end = (socket: Socket) => {
    forget(socket)
    socket.destroy()
  }
  /** Leaves out each connection in use until it no longer is, so that none is looked at twice. */
  const oldestUnused = (): Socket | undefined => {
    for (;;) {
      const socket = maybeUnused.oldestOfLargest()
      const connection = socket && connections.get(socket)
      if (!connection || !isInUse(connection)) return socket
      const { network, response } = connection
      maybeUnused.delete(network, socket)
      response?.once('close', () => {
        if (connections.has(socket)) maybeUnused.add(network, socket)
      })
    }
  }

  server.prependListener('connection', (socket: Socket) => {
    const network = siteNetwork(socket.remoteAddress ?? '')
    connections.set(socket, { network, isSilent: true, response: null })
    silent.add(network, socket)
    maybeUnused.add(network, socket)
    socket.once('close', () => forget(socket))
    if (silent.size > limits.silent) end(silent.oldestOfLargest() ?? socket)
    if (connections.size > limits.open) end(oldestUnused() ?? socket)
  })

  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection) return
    connection.response = response
    if (!connection.isSilent) return
    const handleWhole = () => {
      connection.isSilent = false
      silent.delete(connection.network, socket)
    }
    if (hasBody(request)) request.once('end', handleWhole)
    else handleWhole()
  })
}

/** A request that has not come whole is not being answered. */
function isInUse({ response }: Connection): boolean {
  return response?.req.complete === true && !response.writableFinished && !response.destroyed
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function defaultLimits(): ConnectionLimits {
  const files = openFilesLimit()
  return { silent: Math.min(MAX_SILENT, files / 4), open: files - Math.min(RESERVED_FILES, files / 2) }
}
