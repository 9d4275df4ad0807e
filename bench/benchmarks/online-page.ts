import type { Page } from '@playwright/test'
import { z } from 'zod'
import { launchChromium } from '../../test/e2e/support/chromium.ts'
import { atLeast, atMost, type Benchmark, inMb, inMs, type Outcome, under } from '../benchmark.ts'
import { Connection, requestText, statusCall } from '../connection.ts'
import { bringOnline, type Fixture } from '../fixtures.ts'
import { EMPTY_PAGE, type Frames, measureFrames, measureHeap } from '../frames.ts'
import { openStream } from '../load-streams.ts'
import { quantile } from '../statistics.ts'
import { openPhones } from '../streams.ts'

const PEOPLE = 2_000
const CHANGES_PER_SECOND = 40
const LEAST_SHARE = 0.9
const LONGEST_MS = 50
const ACK_MS = 100
const MUTES = 20
const MOST_GROWTH = 1.15
const EMPTY_MS = 5_000
/** BENCH_MINUTES=10 shows whether memory stays flat for longer. */
const WATCHED_MS = process.env.BENCH_MINUTES ? Number(process.env.BENCH_MINUTES) * 60_000 : 20_000
/** Until the page has drawn its first list, and what that left is collected. */
const SETTLE_MS = 3_000
/** For what comes before and after the watched time. */
const MARGIN_MS = 90_000

/** The host's page in a browser, in a large and busy room. */
export const onlinePage: Benchmark = {
  name: 'online-page',
  roomSizes: [PEOPLE],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      const { product, observer } = fixture
      const { phones } = fixture.room(PEOPLE)
      await bringOnline(fixture, fixture.room(PEOPLE))
      await openPhones(fixture, PEOPLE)
      const browser = await launchChromium()
      try {
        const meeting = { port: product.port, phones, perSecond: CHANGES_PER_SECOND, ms: WATCHED_MS + MARGIN_MS }
        const simulating = observer.call(z.boolean(), 'simulateMeeting', meeting)
        simulating.catch(() => {}) // aborted at the end
        const before = await emptyPage()
        const page = await openOnlinePage()
        const memory = await page.context().newCDPSession(page)
        await measureFrames(page, SETTLE_MS, LONGEST_MS)
        const heapBefore = await measureHeap(memory)
        const frames = await measureFrames(page, WATCHED_MS, LONGEST_MS)
        const heapAfter = await measureHeap(memory)
        const acks = await measureAcks(fixture, page)
        await page.context().close()
        const after = await emptyPage()
        return outcomes(frames, [before, after], acks, [heapBefore, heapAfter])
      } finally {
        await browser.close()
      }

      async function emptyPage(): Promise<Frames> {
        const page = await browser.newPage()
        await page.setContent(EMPTY_PAGE)
        const frames = await measureFrames(page, EMPTY_MS, LONGEST_MS)
        await page.close()
        return frames
      }

      async function openOnlinePage(): Promise<Page> {
        const { token, host_id, username } = fixture.room(PEOPLE)
        const session = JSON.stringify({ token, user: { id: host_id, username, role: 'host' } })
        const stored = btoa(encodeURIComponent(session)).split('').reverse().join('') // as web/lib/session stores it
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
        await context.addInitScript((value) => sessionStorage.setItem('parley.session', value), stored)
        const page = await context.newPage()
        await page.goto(`${product.host_url}/host/online`)
        await page.getByText('Live', { exact: true }).waitFor()
        await page.locator('[data-user-id]').first().waitFor()
        return page
      }
    }),
}

/** From a phone's acknowledgement of a mute to the frame in which its tile no longer waits for it. */
async function measureAcks({ product: { port }, room }: Fixture, page: Page): Promise<number[]> {
  const { room_id, token, phones } = room(PEOPLE)
  const waits: number[] = []
  let commandId = ''
  const stream = await openStream(port, room_id, token, (chunk) => {
    commandId = /id: (\S+)\nevent: user-mute-status/.exec(chunk.toString())?.[1] ?? commandId
  })
  const connection = new Connection(port)
  for (const phone of phones.slice(0, MUTES)) {
    const tile = page.locator(`[data-user-id="${phone.id}"]`)
    await connection.send(requestText('POST', `/api/host/users/${phone.id}/mute`, { port, token }))
    await tile.and(page.locator('[data-pending]')).waitFor()
    const shown = tile.evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          const check = () => {
            const now = performance.timeOrigin + performance.now()
            if (!element.hasAttribute('data-pending') || now > until) resolve(now)
            else requestAnimationFrame(check)
          }
          const until = performance.timeOrigin + performance.now() + 5_000
          check()
        }),
    )
    const began = performance.timeOrigin + performance.now()
    await connection.send(statusCall(port, phone.token, { acks: [commandId] }))
    waits.push((await shown) - began)
  }
  connection.close()
  stream.destroy()
  return waits
}

function outcomes(
  frames: Frames,
  [before, after]: [Frames, Frames],
  acks: number[],
  [heapBefore, heapAfter]: [number, number],
): Outcome[] {
  const limit = (before.perSecond + after.perSecond) / 2
  const rates = { product: frames.perSecond, limit, ratio: frames.perSecond / limit }
  const page = `Online page, ${PEOPLE.toLocaleString('en')} people, ${CHANGES_PER_SECOND} changes a second`
  const heaps = { product: heapAfter, limit: heapBefore, ratio: heapAfter / heapBefore }
  return [
    atLeast(`${page}: frames`, rates, LEAST_SHARE, (rate) => `${rate.toFixed(1)}/s`, 'limit: an empty page'),
    {
      path: 'its longest frame',
      product: inMs(frames.longestMs),
      limit: `${inMs(Math.max(before.longestMs, after.longestMs))} empty`,
      goal: `${LONGEST_MS} ms or less`,
      isMet: frames.longestMs <= LONGEST_MS,
      note: `${frames.late} frames took longer in ${inSeconds(WATCHED_MS)}, of the empty page ${before.late + after.late} in ${inSeconds(2 * EMPTY_MS)}`,
    },
    under("from a phone's acknowledgement of a mute to its tile, p95", quantile(acks, 0.95), ACK_MS, inMs, {
      note: `${acks.length} mutes, median ${inMs(quantile(acks, 0.5))}, longest ${inMs(Math.max(...acks))}`,
    }),
    atMost(`its memory after ${inSeconds(WATCHED_MS)}`, heaps, MOST_GROWTH, inMb, 'limit: before that'),
  ]
}

const inSeconds = (ms: number) => `${Math.round(ms / 1000)} s`
