import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'

/**
 * Bounds how many recordings are being sent to one owner, such as a host: whoever has a link may open any number of
 * connections. Each stream holds buffers, and a file or a connection to Zoom.
 */
export class OpenStreams {
  readonly #max: number
  /** Holds those of an owner in the order in which their readers last took something. */
  readonly #ofOwner = new Map<string, Set<ServerResponse>>()

  constructor(max: number) {
    this.#max = max
  }

  /** Ends the stream whose reader has taken nothing for longest, if the owner has too many. */
  add(owner: string, response: ServerResponse): void {
    const open = this.#ofOwner.get(owner) ?? new Set()
    this.#ofOwner.set(owner, open)
    if (open.size >= this.#max) {
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
      if (open.size === 0) this.#ofOwner.delete(owner)
    })
  }
}
