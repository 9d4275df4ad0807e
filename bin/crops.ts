import type { Locator, Page } from '@playwright/test'

/** A part of a screen for the landing page, small enough to be shown in its actual size. */
export interface Crop {
  name: string
  path: string
  windowWidth: number // in CSS pixels
  prepare?: (page: Page) => Promise<void>
  /** The picture is the bounding box of these, expanded by this many pixels, or shrunk if negative. */
  elements: (page: Page) => Locator[]
  margin: number
  /** True if the lowest part is at the foot of the window, with nothing below it. */
  endsAtFoot?: boolean
}

const tile = (page: Page, index: number) => page.locator('[data-user-id]').nth(index)

/** The last crop mutes the room, so the others come first. */
export const CROPS: Crop[] = [
  {
    name: 'landing-room',
    path: '/host/online',
    windowWidth: 680,
    elements: (page) => [page.getByRole('region', { name: 'The room now' }), tile(page, 0), tile(page, 14)],
    margin: 8,
    endsAtFoot: true,
  },
  {
    name: 'landing-room-narrow',
    path: '/host/online',
    windowWidth: 390,
    elements: (page) => [page.getByRole('region', { name: 'The room now' }), tile(page, 0), tile(page, 9)],
    margin: 8,
    endsAtFoot: true,
  },
  {
    name: 'landing-add',
    path: '/host/users',
    windowWidth: 420,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add User' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Username').fill('Mariana Costa')
      await dialog.getByLabel('Reference').fill('Row 4, Portuguese')
    },
    elements: (page) => [page.getByRole('dialog')],
    margin: -12, // cuts off the corners and the background behind them
  },
  {
    name: 'landing-phone',
    path: '/host/app-info',
    windowWidth: 420,
    prepare: async (page) => {
      await page.getByLabel('User title').fill('Evening Study Circle')
      await page.getByLabel('Helpline').fill('+44 20 7946 0123')
      await page.getByRole('textbox', { name: 'Message' }).fill('We begin at 19:30. Raise your hand to ask a question.')
    },
    elements: (page) => [page.getByTestId('phone-preview')],
    margin: 12,
  },
  {
    name: 'landing-mute',
    path: '/host/online',
    windowWidth: 420,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Mute All', exact: true }).click()
      await tile(page, 8)
        .getByRole('button', { name: /^Unmute / })
        .click()
      await tile(page, 8).getByText('May speak').waitFor()
    },
    elements: (page) => [page.getByRole('region', { name: 'The room now' }), tile(page, 0)],
    margin: 8,
    endsAtFoot: true,
  },
]
