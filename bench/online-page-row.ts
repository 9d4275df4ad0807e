import type { Page } from '@playwright/test'
import { z } from 'zod'
import { launchChromium } from '../test/e2e/support/chromium.ts'
import { Connection, requestText } from './connection.ts'
import { drawnFrames, EMPTY_PAGE, type Frames, heapOf } from './frames.ts'
import { openStream } from './load-streams.ts'
import { bringOnline } from './rates.ts'
import { quantile } from './rounds.ts'
import { inMs, type Outcome, type Row } from './row.ts'
import type { Stage } from './stage.ts'
import { openPhones } from './streams.ts'
import { SETTLED_MS } from './world.ts'

const PEOPLE = 2_000
const CHANGES_A_SECOND = 40
const LEAST_SHARE = 0.9
const LONGEST_MS = 50
const ACK_MS = 100
const MUTES = 20
const MOST_GROWTH = 1.15
const EMPTY_MS = 5_000
/** BENCH_MINUTES=10 for whether memory stays flat for as long as a meeting's first talk. */
const WATCHED_MS = process.env.BENCH_MINUTES ? Number(process.env.BENCH_MINUTES) * 60_000 : 20_000
/** What begins and ends around that, mutes included. */
const AROUND_MS = 90_000

/** The host's page in a browser, in a large and busy room. */
export const onlinePageRow: Row = {
  name: 'online-page',
  rooms: [PEOPLE],
  measure: (theatre) =>
    theatre.onStage(async (stage) => {
      const { product, onlooker } = stage
      const { phones } = stage.room(PEOPLE)
      await bringOnline(stage, stage.room(PEOPLE))
      await openPhones(stage, PEOPLE)
      const browser = await launchChromium()
      try {
        const asked = { port: product.port, phones, perSecond: CHANGES_A_SECOND, ms: WATCHED_MS + AROUND_MS }
        const bustling = onlooker.call(z.number(), 'bustle', asked)
        bustling.catch(() => {}) // broken off when the row is over
        const before = await emptyPage()
        const page = await openOnlinePage()
        const memory = await page.context().newCDPSession(page)
        await drawnFrames(page, SETTLED_MS, LONGEST_MS)
        const heapBefore = await heapOf(memory)
        const frames = await drawnFrames(page, WATCHED_MS, LONGEST_MS)
        const heapAfter = await heapOf(memory)
        const acks = await measureAcks(stage, page)
        await page.context().close()
        const after = await emptyPage()
        return outcomes(frames, [before, after], acks, [heapBefore, heapAfter])
      } finally {
        await browser.close()
      }

      async function emptyPage(): Promise<Frames> {
        const page = await browser.newPage()
        await page.setContent(EMPTY_PAGE)
        const frames = await drawnFrames(page, EMPTY_MS, LONGEST_MS)
        await page.close()
        return frames
      }

      async function openOnlinePage(): Promise<Page> {
        const { token, host_id, username } = stage.room(PEOPLE)
        const session = JSON.stringify({ token, user: { id: host_id, username, role: 'host' } })
        const kept = btoa(encodeURIComponent(session)).split('').reverse().join('') // as web/lib/session keeps it
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
        await context.addInitScript((value) => sessionStorage.setItem('parley.session', value), kept)
        const page = await context.newPage()
        await page.goto(`${product.host_url}/host/online`)
        await page.getByText('Live', { exact: true }).waitFor()
        await page.locator('[data-user-id]').first().waitFor()
        return page
      }
    }),
}

/** From a phone's acknowledgement of a mute to the frame in which its tile no longer waits for it. */
async function measureAcks({ product: { port }, room }: Stage, page: Page): Promise<number[]> {
  const { room_id, token, phones } = room(PEOPLE)
  const waits: number[] = []
  let commandId = ''
  const stream = await openStream(port, room_id, token, (chunk) => {
    commandId = /id: (\S+)\nevent: user-mute-status/.exec(chunk.toString())?.[1] ?? commandId
  })
  const asking = new Connection(port)
  for (const phone of phones.slice(0, MUTES)) {
    const tile = page.locator(`[data-user-id="${phone.id}"]`)
    await asking.ask(requestText('POST', `/api/host/users/${phone.id}/mute`, { port, token }))
    await tile.and(page.locator('[data-pending]')).waitFor()
    const shown = tile.evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          const look = () => {
            const now = performance.timeOrigin + performance.now()
            if (!element.hasAttribute('data-pending') || now > until) resolve(now)
            else requestAnimationFrame(look)
          }
          const until = performance.timeOrigin + performance.now() + 5_000
          look()
        }),
    )
    const began = performance.timeOrigin + performance.now()
    const body = { acks: [commandId] }
    await asking.ask(requestText('POST', '/api/mobile/status', { port, token: phone.token, body }))
    waits.push((await shown) - began)
  }
  asking.close()
  stream.close()
  return waits
}

function outcomes(
  frames: Frames,
  empty: [Frames, Frames],
  acks: number[],
  [heapBefore, heapAfter]: [number, number],
): Outcome[] {
  const limit = (empty[0].perSecond + empty[1].perSecond) / 2
  const ratio = frames.perSecond / limit
  const emptyLongest = Math.max(empty[0].longestMs, empty[1].longestMs)
  const slowest = quantile(acks, 0.95)
  const of = `Online page, ${PEOPLE.toLocaleString('en')} people, ${CHANGES_A_SECOND} changes a second`
  return [
    {
      path: `${of}: frames`,
      product: `${frames.perSecond.toFixed(1)}/s`,
      limit: `${limit.toFixed(1)}/s empty`,
      ratio,
      goal: `${LEAST_SHARE.toFixed(2)} or more`,
      isMet: ratio >= LEAST_SHARE,
    },
    {
      path: 'its longest frame',
      product: inMs(frames.longestMs),
      limit: `${inMs(emptyLongest)} empty`,
      ratio: null,
      goal: `${LONGEST_MS} ms or less`,
      isMet: frames.longestMs <= LONGEST_MS,
      note: `${frames.late} frames took longer in ${inSeconds(WATCHED_MS)}, of the empty page ${empty[0].late + empty[1].late} in ${inSeconds(2 * EMPTY_MS)}`,
    },
    {
      path: "from a phone's acknowledgement of a mute to its tile, p95",
      product: inMs(slowest),
      limit: '',
      ratio: null,
      goal: `under ${ACK_MS} ms`,
      isMet: slowest < ACK_MS,
      note: `${acks.length} mutes, median ${inMs(quantile(acks, 0.5))}, longest ${inMs(Math.max(...acks))}`,
    },
    {
      path: `its memory after ${inSeconds(WATCHED_MS)}`,
      product: `${heapAfter.toFixed(1)} MB`,
      limit: `${heapBefore.toFixed(1)} MB before`,
      ratio: heapAfter / heapBefore,
      goal: `${MOST_GROWTH.toFixed(2)} or less`,
      isMet: heapAfter / heapBefore <= MOST_GROWTH,
    },
  ]
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
