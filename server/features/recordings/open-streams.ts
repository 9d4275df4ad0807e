import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'

interface Owner {
  key: string
  max: number
}

/**
 * Bounds how many recordings are being sent to one owner, such as a host: whoever has a link may open any number of
 * connections. Each stream holds buffers, and a file or a connection to Zoom.
 */
export class OpenStreams {
  /** Holds those of an owner in the order in which their readers last took something. */
  readonly #ofOwner = new Map<string, Set<ServerResponse>>()

  /** Ends the stream whose reader has taken nothing for longest, of each owner that has too many. */
  add(owners: readonly Owner[], response: ServerResponse): void {
    const sets = owners.map((owner) => this.#makeRoom(owner))
    for (const open of sets) open.add(response)
    response.on('drain', () => {
      for (const open of sets) if (open.delete(response)) open.add(response)
    })
    finished(response, () => {
      for (const [index, open] of sets.entries()) {
        open.delete(response)
        if (open.size === 0) this.#ofOwner.delete(owners[index]?.key ?? '')
      }
    })
  }

  #makeRoom({ key, max }: Owner): Set<ServerResponse> {
    const open = this.#ofOwner.get(key) ?? new Set()
    this.#ofOwner.set(key, open)
    if (open.size < max) return open
    const [oldest] = open
    // A reader that keeps up with Zoom has left nothing, and may never have caused a `drain`.
    const stalest = [...open].find(({ writableLength }) => writableLength > 0) ?? oldest
    if (stalest) open.delete(stalest)
    stalest?.destroy()
    return open
  }
}
