import type { CDPSession, Page } from '@playwright/test'

export interface Frames {
  perSecond: number
  longestMs: number
}

export function measureFrames(page: Page, ms: number): Promise<Frames> {
  return page.evaluate(
    (lasting) =>
      new Promise<Frames>((resolve) => {
        let count = 0
        let longestMs = 0
        let began = 0
        let last = 0
        const draw = (now: number) => {
          if (last === 0) began = now
          else {
            count++
            longestMs = Math.max(longestMs, now - last)
          }
          last = now
          if (now - began < lasting) requestAnimationFrame(draw)
          else resolve({ perSecond: (count * 1000) / (now - began), longestMs })
        }
        requestAnimationFrame(draw)
      }),
    ms,
  )
}

/** Sets the limit: one thing that moves, and nothing else. */
export const EMPTY_PAGE = `<!doctype html><title>Empty</title>
<style>@keyframes go { to { transform: translateX(300px) } }
div { width: 40px; height: 40px; background: teal; animation: go 1s infinite alternate }</style><div></div>`

/** In MB, after a garbage collection. */
export async function measureHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}
