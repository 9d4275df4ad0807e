import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'

/** More than a player and a handful of downloads. Each stream holds buffers, and a file or a connection to Zoom. */
const MAX_OF_HOST = 20

/** Bounds how many recordings of a host are being sent: whoever has a link may open any number of connections. */
export class OpenStreams {
  /** Holds those of a host in the order in which their readers last took something. */
  readonly #ofHost = new Map<string, Set<ServerResponse>>()

  /** Ends the stream whose reader has taken nothing for longest, if the host has too many. */
  add(hostId: string, response: ServerResponse): void {
    const open = this.#ofHost.get(hostId) ?? new Set()
    this.#ofHost.set(hostId, open)
    if (open.size >= MAX_OF_HOST) {
      const [oldest] = open
      // A reader that keeps up with Zoom has left nothing, and may never have caused a `drain`.
      const stalest = [...open].find(({ writableLength }) => writableLength > 0) ?? oldest
      if (stalest) open.delete(stalest)
      stalest?.destroy()
    }
    open.add(response)
    response.on('drain', () => {
      if (open.delete(response)) open.add(response)
    })
    finished(response, () => {
      open.delete(response)
      if (open.size === 0) this.#ofHost.delete(hostId)
    })
  }
}
