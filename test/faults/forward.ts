import type { Socket } from 'node:net'

interface Network {
  delayMs: () => number
  isStalled: () => boolean
}

/** Replays the events of one socket on the other, in order and with the network's delay. */
export function forward(from: Socket, to: Socket, { delayMs, isStalled }: Network): void {
  const late: { due: number; act: () => void }[] = []
  const onDrain = () => {
    if (!isStalled()) from.resume()
  }
  from.on('data', (bytes) =>
    pass(() => {
      if (to.destroyed || to.write(bytes)) return
      from.pause()
      to.once('drain', onDrain)
    }),
  )
  from.once('end', () => pass(() => to.end()))
  from.once('close', () => pass(() => to.destroy()))

  function pass(act: () => void): void {
    const ms = delayMs()
    if (ms === 0 && late.length === 0) {
      act()
      return
    }
    late.push({ due: performance.now() + ms, act })
    if (late.length === 1) setTimeout(catchUp, ms)
  }

  function catchUp(): void {
    for (let [next] = late; next && next.due <= performance.now(); [next] = late) {
      next.act()
      late.shift()
    }
    const [next] = late
    if (next) setTimeout(catchUp, next.due - performance.now())
  }
}
