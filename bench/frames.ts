import type { CDPSession, Page } from '@playwright/test'
import { z } from 'zod'

export interface Frames {
  perSecond: number
  /** Wall-clock time, so other load on the machine lengthens it. */
  longestMs: number
  /** The longest uninterrupted CPU time of the page's thread. */
  longestTaskMs: number
}

const Trace = z.object({
  traceEvents: z.array(
    z.object({ name: z.string(), pid: z.int(), tid: z.int(), tdur: z.number().optional(), args: z.unknown() }),
  ),
})
const PageThread = z.object({ name: z.literal('CrRendererMain') })

export async function measureFrames(page: Page, ms: number): Promise<Frames> {
  const browser = page.context().browser()
  await browser?.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  const frames = await countFrames(page, ms)
  const { traceEvents } = Trace.parse(JSON.parse(String(await browser?.stopTracing())))
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && PageThread.safeParse(args).success)
  const ids = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && ids.has(`${pid} ${tid}`))
  if (tasks.length === 0) throw new Error('The trace has no task of the page')
  return { ...frames, longestTaskMs: tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0) }
}

function countFrames(page: Page, ms: number): Promise<Pick<Frames, 'perSecond' | 'longestMs'>> {
  return page.evaluate(
    (lasting) =>
      new Promise((resolve) => {
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

/** The baseline: a page with a single animation. */
export const BASELINE_PAGE = `<!doctype html><title>Empty</title>
<style>@keyframes go { to { transform: translateX(300px) } }
div { width: 40px; height: 40px; background: teal; animation: go 1s infinite alternate }</style><div></div>`

/** Returns MB after a garbage collection. */
export async function measureHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}
