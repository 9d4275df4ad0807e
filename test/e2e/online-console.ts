import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { nameOf, type OnlineRoom, startOnlineRoom } from './online-room.ts'

type OpenConsole = Awaited<ReturnType<OnlineRoom['open']>>

/** One room for all tests of a file: its people are at rest before each, and no console had anything to complain of. */
export function onlineRoomOf(people: number) {
  let room: OnlineRoom
  let open: OpenConsole[] = []
  beforeAll(async () => {
    room = await startOnlineRoom()
  }, 120_000)
  afterAll(() => room.close())
  beforeEach(() => room.gather(people), 60_000)
  afterEach(async () => {
    const seen = open.flatMap(({ complaints }) => complaints)
    for (const { context } of open) await context.close()
    open = []
    expect(seen).toEqual([])
  })
  return {
    room: () => room,
    async console(options: BrowserContextOptions = {}) {
      const opened = await room.open(options)
      open.push(opened)
      return opened
    },
    /** Until the phone of this place is so. */
    holds: (index: number, state: object) =>
      vi.waitFor(() => expect(room.phone(index).state).toMatchObject(state), { timeout: 5_000, interval: 20 }),
  }
}

export const tile = (page: Page, index: number, state = '') =>
  page.locator(`[data-user-id][data-state${state && `="${state}"`}]`).filter({ hasText: nameOf(index) })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
export const queue = (page: Page) => page.locator('[data-queued-id]')
