import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import type { ServerProcess } from '../../test/servers/server-process.ts'
import { type GoalResult, goalUnder } from '../benchmark.ts'
import { openConsole, openSeatedConsole, promised, SEAT_RUNS } from './seated-console.ts'
import { TelephoneGuest } from './telephone.ts'

const PEOPLE = 300
/** Joining at a time. */
const CONNECTIONS = 20
const CHANGES_PER_SECOND = 30
const BUSY_MS = 10_000
const MOST_OF_A_CORE = 0.2
const formatShare = (share: number) => `${(share * 100).toFixed(1)} %`

/** Measures when another console has all of a crowd, and what their hands cost the console with the seat. */
export async function measureCrowd(server: ServerProcess, browser: Browser): Promise<GoalResult[]> {
  const { page, meetingNumber, host, close } = await openSeatedConsole(server, browser)
  const context = await browser.newContext()
  const other = await openConsole(context, server, host)
  const dial = await TelephoneGuest.dialler(server, meetingNumber)
  const shown: number[] = []
  let guests: TelephoneGuest[] = []
  for (let run = 0; run < SEAT_RUNS; run++) {
    await inTurns(guests, (guest) => guest.leave())
    await heading(other, '').waitFor()
    guests = await inTurns(
      Array.from({ length: PEOPLE }, (_, at) => `+1 555 ${at}`),
      dial,
    )
    const joined = performance.now()
    await heading(other, ` (${PEOPLE})`).waitFor()
    shown.push(performance.now() - joined)
  }
  await context.close()

  let isOver = false
  const changes = (async () => {
    const began = performance.now()
    for (let turn = 0; !isOver; turn++) {
      await guests[turn % PEOPLE]?.raiseHand(Math.floor(turn / PEOPLE) % 2 === 0)
      await delay(Math.max(0, began + ((turn + 1) * 1000) / CHANGES_PER_SECOND - performance.now()))
    }
  })()
  const share = await measureMainThread(page)
  isOver = true
  await changes
  await close()
  return [
    promised(`the seat: from the last of ${PEOPLE} who join to all on another console`, shown),
    goalUnder(
      `its page's main thread at ${CHANGES_PER_SECOND} changes a second, of a core`,
      share,
      MOST_OF_A_CORE,
      formatShare,
    ),
  ]
}

const heading = (page: Page, count: string) => page.getByRole('heading', { name: `In Zoom only${count}`, exact: true })

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += CONNECTIONS)
    results.push(...(await Promise.all(items.slice(at, at + CONNECTIONS).map(work))))
  return results
}

/** Returns the processor time of the page's main thread, as a share of a core. */
async function measureMainThread(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value
    if (seconds === undefined) throw new Error('The browser does not report how long tasks took')
    return seconds
  }
  const [before, began] = [await read(), performance.now()]
  await delay(BUSY_MS)
  const after = await read()
  await session.detach()
  return (after - before) / ((performance.now() - began) / 1000)
}
