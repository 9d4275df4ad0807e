import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { launchChromium } from '../../test/e2e/support/chromium.ts'
import {
  type Benchmark,
  formatMb,
  formatMs,
  type GoalResult,
  goalUnder,
  ratioAtLeast,
  ratioAtMost,
} from '../benchmark.ts'
import { bringOnline, type Fixture } from '../fixtures.ts'
import { BASELINE_PAGE, type Frames, measureFrames, measureHeap } from '../frames.ts'
import { Connection, fetchStreamPath, measureWaits, openSocketStream, requestText, statusCall } from '../load.ts'
import { median, quantile } from '../statistics.ts'
import { openPhones } from '../streams.ts'

const PEOPLE = 2_000
const CHANGES_PER_SECOND = 40
/** The numbers of people who speak, and of raised hands, at any time. */
const SPEAKING = 5
const ASKING = 10
const LEAST_SHARE = 0.9
const LONGEST_TASK_MS = 50
const ACK_MS = 100
const MUTES = 20
const MOST_GROWTH = 1.15
const EMPTY_MS = 5_000
/** Milliseconds until the browser has compiled its hot code, which it keeps in memory. */
const WARM_UP_MS = 20_000
/** BENCH_MINUTES=10 tests longer that memory stays flat. */
const WATCHED_MS = process.env.BENCH_MINUTES ? Number(process.env.BENCH_MINUTES) * 60_000 : 20_000
/** Milliseconds until the page has drawn its first list. */
const SETTLE_MS = 3_000
/** Tested besides the comfortable density, which is the default. */
const DENSITIES = ['Compact', 'List']
const DENSITY_MS = 10_000

/** Opens the host's page in a browser, with a large and busy room. */
export const onlinePage: Benchmark = {
  name: 'online-page',
  roomSizes: [PEOPLE],
  run: (fixtures) =>
    fixtures.use(async (fixture) => {
      await bringOnline(fixture, fixture.room(PEOPLE))
      await openPhones(fixture, PEOPLE)
      const browser = await launchChromium()
      try {
        simulateMeeting(fixture).catch(() => {}) // ends when the server stops
        const empty = await browser.newPage()
        await empty.setContent(BASELINE_PAGE)
        const limit = await measureFrames(empty, EMPTY_MS)
        await empty.close()
        const page = await openOnlinePage(fixture, await browser.newPage({ viewport: { width: 1440, height: 900 } }))
        const memory = await page.context().newCDPSession(page)
        await delay(SETTLE_MS)
        const frames = await measureFrames(page, WARM_UP_MS)
        const heapBefore = await measureHeap(memory)
        await delay(WATCHED_MS)
        const heapAfter = await measureHeap(memory)
        const acks = await measureAcks(fixture, page)
        const dense: [string, Frames][] = []
        for (const density of DENSITIES) {
          await page.locator('label').filter({ hasText: density }).click()
          await delay(SETTLE_MS)
          dense.push([density, await measureFrames(page, DENSITY_MS)])
        }
        return [...outcomes(frames, limit, acks, [heapBefore, heapAfter]), ...densityOutcomes(dense, limit)]
      } finally {
        await browser.close()
      }
    }),
}

/** Rotates through four events: a user starts speaking, one stops, a hand goes up, another goes down. */
function simulateMeeting({ product: { port }, room }: Fixture) {
  const { phones } = room(PEOPLE)
  const call = (turn: number, body: object) => statusCall(port, phones.at((turn * 7) % PEOPLE)?.token, body)
  const requests = phones.flatMap((_, turn) => [
    call(turn, { speaker_on: true, is_speaking: true }),
    call(turn - SPEAKING, { speaker_on: false, is_speaking: false }),
    call(turn, { wants_to_speak: true }),
    call(turn - ASKING, { wants_to_speak: false }),
  ])
  const pace = { perSecond: CHANGES_PER_SECOND, connections: 1, ms: Number.POSITIVE_INFINITY }
  return measureWaits({ port, requests, ...pace })
}

async function openOnlinePage({ product, room }: Fixture, page: Page): Promise<Page> {
  const { token, host_id, username } = room(PEOPLE)
  const session = JSON.stringify({ token, user: { id: host_id, username, role: 'host' } })
  const stored = btoa(encodeURIComponent(session)).split('').reverse().join('') // the format of web/lib/session
  await page.addInitScript((value) => sessionStorage.setItem('parley.session', value), stored)
  await page.goto(`${product.host_url}/host/online`)
  await page.getByText('Up to date', { exact: true }).waitFor()
  await page.locator('[data-user-id]').first().waitFor()
  return page
}

/** Measures from a phone's acknowledgement of a mute to the frame in which its tile stops waiting. */
async function measureAcks({ product: { port }, room }: Fixture, page: Page): Promise<number[]> {
  const { room_id, token, phones } = room(PEOPLE)
  const waits: number[] = []
  let commandId = ''
  const stream = await openSocketStream(port, await fetchStreamPath(port, room_id, token), (chunk) => {
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
          const until = performance.timeOrigin + performance.now() + 5_000
          const check = () => {
            const now = performance.timeOrigin + performance.now()
            if (!element.hasAttribute('data-pending') || now > until) resolve(now)
            else requestAnimationFrame(check)
          }
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

function outcomes(frames: Frames, empty: Frames, acks: number[], [before, after]: [number, number]): GoalResult[] {
  const rates = { product: frames.perSecond, limit: empty.perSecond, ratio: frames.perSecond / empty.perSecond }
  const page = `Online page, ${PEOPLE.toLocaleString('en')} people, ${CHANGES_PER_SECOND} changes a second`
  const heaps = { product: after, limit: before, ratio: after / before }
  return [
    ratioAtLeast(`${page}: frames`, rates, LEAST_SHARE, (rate) => `${rate.toFixed(1)}/s`, 'limit: an empty page'),
    longestTask('its longest task', frames, empty),
    goalUnder("from a phone's acknowledgement of a mute to its tile, p95", quantile(acks, 0.95), ACK_MS, formatMs, {
      note: `${acks.length} mutes, median ${formatMs(median(acks))}`,
    }),
    ratioAtMost(`its memory after ${WATCHED_MS / 1000} s more`, heaps, MOST_GROWTH, formatMb, 'limit: before that'),
  ]
}

function densityOutcomes(dense: [string, Frames][], empty: Frames): GoalResult[] {
  return dense.flatMap(([density, frames]) => {
    const rates = { product: frames.perSecond, limit: empty.perSecond, ratio: frames.perSecond / empty.perSecond }
    const name = density.toLowerCase()
    return [
      ratioAtLeast(
        `its frames as ${name}`,
        rates,
        LEAST_SHARE,
        (rate) => `${rate.toFixed(1)}/s`,
        'limit: an empty page',
      ),
      longestTask(`its longest task as ${name}`, frames, empty),
    ]
  })
}

function longestTask(path: string, frames: Frames, empty: Frames): GoalResult {
  return goalUnder(path, frames.longestTaskMs, LONGEST_TASK_MS, formatMs, {
    note: `CPU time; longest frame ${formatMs(frames.longestMs)}, of an empty page ${formatMs(empty.longestMs)}`,
  })
}
