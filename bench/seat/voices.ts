import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import type { ServerProcess } from '../../test/servers/server-process.ts'
import type { GoalResult } from '../benchmark.ts'
import { openSeatedConsole, press, promised, SEAT_RUNS } from './seated-console.ts'
import { TelephoneGuest } from './telephone.ts'

const NAMES = ['Gina', 'Gus', 'Guy']
/** Zoom mutes one person a second, and all of them once in five seconds. */
const MUTE_EVERY_MS = 1_100
const MUTE_ALL_EVERY_MS = 5_200
/** A further call for the same Mute All would come within this time. */
const LATE_MS = 2_000

/** Measures from a press at the console until Zoom passes on no more sound of the guests. */
export async function measureVoices(server: ServerProcess, browser: Browser): Promise<GoalResult[]> {
  const { page, meetingNumber, close } = await openSeatedConsole(server, browser)
  const orders = recordOrders(page)
  const dial = await TelephoneGuest.dialler(server, meetingNumber)
  const guests = await Promise.all(NAMES.map(dial))
  const [gina] = guests
  if (!gina) throw new Error('There is no guest')

  const single: number[] = []
  for (let run = 0; run < SEAT_RUNS; run++) {
    await delay(MUTE_EVERY_MS)
    const silent = gina.speak()
    await seesOpen(page, 'Gina')
    const pressed = performance.now()
    await press(page.locator('[data-guest]'), 'Mute Gina')
    single.push((await silent) - pressed)
  }

  const all: number[] = []
  const isSingleCall: boolean[] = []
  for (let run = 0; run < SEAT_RUNS; run++) {
    if (run > 0) await press(page, 'Unmute All')
    await delay(MUTE_ALL_EVERY_MS - LATE_MS) // in which the guard learns of it, too
    const silent = Promise.all(guests.map((guest) => guest.speak()))
    for (const name of NAMES) await seesOpen(page, name)
    orders.length = 0
    const pressed = performance.now()
    await press(page, 'Mute All')
    all.push(Math.max(...(await silent)) - pressed)
    await delay(LATE_MS)
    isSingleCall.push(orders.join() === 'muteAll')
  }

  const guarded: number[] = []
  for (let run = 0; run < SEAT_RUNS; run++) {
    const opened = performance.now()
    guarded.push((await gina.speak()) - opened)
    await page.locator('[data-guest]').getByRole('button', { name: 'Ask Gina to unmute' }).waitFor()
  }
  await close()
  const singles = isSingleCall.filter(Boolean).length
  return [
    promised("the seat: from a press on a guest to the guest's silence", single),
    promised('the seat: from Mute All to the silence of three guests', all),
    {
      ...{ path: 'its Mute Alls that were one call of Zoom’s and no other', isMet: singles === SEAT_RUNS },
      ...{ product: `${singles} of ${SEAT_RUNS}`, goal: 'all' },
    },
    promised('the seat: from unmuting under Mute All to silence', guarded),
  ]
}

const seesOpen = (page: Page, name: string) =>
  page
    .locator('[data-guest]')
    .getByRole('button', { name: `Mute ${name}` })
    .waitFor()

function recordOrders(page: Page): string[] {
  const orders: string[] = []
  page.on('request', (request) => {
    if (/\/sdk\/participants\/[^/]+\/orders$/.test(request.url())) orders.push(request.postDataJSON().do)
  })
  return orders
}
