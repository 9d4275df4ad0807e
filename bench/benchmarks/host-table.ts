import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { sql } from 'kysely'
import { openFolder } from '../../server/db/embedded.ts'
import { migrate } from '../../server/db/migrate.ts'
import { launchChromium } from '../../test/e2e/support/chromium.ts'
import { logInMaster } from '../../test/e2e/support/hosts.ts'
import { dataFolder } from '../../test/server-process.ts'
import { atLeast, type Benchmark, inMb, inMs, type Outcome, under } from '../benchmark.ts'
import { startProduct } from '../fixtures.ts'
import { EMPTY_PAGE, measureFrames, measureHeap } from '../frames.ts'
import { interleave, median } from '../statistics.ts'

const HOSTS = 5_000
const OPENINGS = 5
const ROUNDS = 4
const OPENED_MS = 1_000
const LEAST_FRAMES = 0.9
const MOST_MB = 150
/** As fast as people type; each stop is long enough for the list to follow. */
const TYPED = ['host49', '@example', '+91 98']
const KEY_MS = 80
const STOP_MS = 400
/** A little less than all of that takes. */
const TYPING_MS = 2_600
const LATE_MS = 50

/** Host Management with many hosts, in a browser. */
export const hostTable: Benchmark = {
  name: 'host-table',
  async run() {
    const folder = await dataFolder()
    await seedHosts(folder.path, HOSTS)
    const [product, browser] = await Promise.all([startProduct(folder.path), launchChromium()])
    try {
      const page = await browser.newPage()
      await page.goto(`${product.master_url}/master-login`)
      await logInMaster(page)
      await rowsOf(page).nth(49).waitFor()
      const empty = await browser.newPage()
      await empty.setContent(EMPTY_PAGE)
      return await measureOutcomes(page, empty)
    } finally {
      await browser.close()
      await product.kill('SIGTERM')
      await folder.remove()
    }
  },
}

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Hosts', exact: true }).locator('tbody tr')

async function measureOutcomes(page: Page, empty: Page): Promise<Outcome[]> {
  const opened: number[] = []
  for (let time = 0; time < OPENINGS; time++) opened.push(await measureOpening(page))
  const search = page.getByRole('searchbox', { name: 'Search hosts' })
  const frames = await interleave(ROUNDS, {
    limit: () => framesWhileTyping(empty, empty.locator('body')),
    product: () => framesWhileTyping(page, search),
  })
  const megabytes = await measureHeap(await page.context().newCDPSession(page))
  const name = `host table, ${HOSTS.toLocaleString('en')} hosts`
  return [
    under(`${name}, from the reload to its rows`, median(opened), OPENED_MS, inMs),
    atLeast(`${name}, while typing in the search`, frames, LEAST_FRAMES, (rate) => `${rate.toFixed(0)} frames/s`),
    under(`${name}, memory of the page`, megabytes, MOST_MB, inMb),
  ]
}

/** Milliseconds from the beginning of the navigation to the frame that shows the first page of hosts. */
async function measureOpening(page: Page): Promise<number> {
  await page.reload({ waitUntil: 'commit' })
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const check = () => {
          const isThere = document.querySelectorAll('table tbody tr').length >= 50
          requestAnimationFrame(isThere ? () => resolve(performance.now()) : check)
        }
        check()
      }),
  )
}

async function framesWhileTyping(page: Page, field: Locator): Promise<number> {
  await page.bringToFront()
  const [{ perSecond }] = await Promise.all([measureFrames(page, TYPING_MS, LATE_MS), typeInto(page, field)])
  return perSecond
}

async function typeInto(page: Page, field: Locator): Promise<void> {
  await field.focus()
  for (const words of TYPED) {
    await page.keyboard.type(words, { delay: KEY_MS })
    await page.waitForTimeout(STOP_MS)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('Delete')
  }
}

/** Hosts in all states, with a few people each. */
async function seedHosts(dataDir: string, count: number): Promise<void> {
  const db = await openFolder(join(dataDir, 'pglite'))
  await migrate(db)
  await sql`
    insert into hosts (username, username_key, email, email_key, mobile, full_name, password_hash, is_active,
      storage_used_bytes, subscription_type, subscription_start_date, subscription_end_date, last_seen)
    select 'host' || n, 'host' || n, 'host' || n || '@example.com', 'host' || n || '@example.com',
      '+91 98' || lpad(n::text, 8, '0'), 'Person ' || n, '', n % 20 > 0, (n % 50) * 1e8, 12,
      now() - interval '1 year', now() + (n % 400 - 30) * interval '1 day', now()
    from generate_series(1, ${count}::int) as n`.execute(db)
  await sql`insert into rooms (host_id, name) select id, 'ROOM-' || numerical_id from hosts`.execute(db)
  await sql`insert into app_info (host_id) select id from hosts`.execute(db)
  await sql`
    insert into room_users (room_id, user_id, user_id_key, username, username_key, password_hash, password_ciphertext)
    select rooms.id, 'U' || n, 'u' || n, 'person' || n, 'person' || n, '', ''
    from rooms, generate_series(1, 5) as n`.execute(db)
  await db.destroy()
}
