import type { Page } from '@playwright/test'
import { type PanelPage, panelPages } from '../web/app/pages.ts'

/** A screen whose picture appears in a guide. */
export interface ScreenPicture {
  name: string
  path: string
  prepare?: (page: Page) => Promise<void>
}

async function inDialog(page: Page, button: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('dialog').waitFor()
}

const screenOf = ({ path }: PanelPage): ScreenPicture => ({ name: path.split('/').at(-1) ?? path, path })

export const HOST_SCREENS: ScreenPicture[] = [
  ...panelPages('host').map(screenOf),
  { name: 'set-up-app', path: '/host/account', prepare: (page) => inDialog(page, 'Set up an app') },
  { name: 'add-user', path: '/host/users', prepare: (page) => inDialog(page, 'Add User') },
  {
    name: 'user-data',
    path: '/host/users',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Amina Yusuf' }).click()
      await page.getByRole('button', { name: 'Export data' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'import-users', path: '/host/users', prepare: (page) => inDialog(page, 'Import') },
  {
    name: 'recording-plays',
    path: '/host/recordings',
    prepare: (page) =>
      page
        .getByRole('button', { name: /^Play / })
        .first()
        .click(),
  },
]

export const MASTER_SCREENS: ScreenPicture[] = [
  { name: 'home', path: '/master/home' },
  { name: 'master-log', path: '/master/log' },
  { name: 'renewals', path: '/master/renewals' },
  { name: 'masters', path: '/master/masters' },
  { name: 'system', path: '/master/system' },
  { name: 'hosts', path: '/master/hosts' },
  { name: 'add-host', path: '/master/hosts', prepare: (page) => inDialog(page, 'Add New Host') },
  { name: 'host-details', path: '/master/hosts', prepare: (page) => inDialog(page, /^View /) },
  { name: 'edit-host', path: '/master/hosts', prepare: (page) => inDialog(page, /^Edit /) },
  { name: 'manage-subscription', path: '/master/hosts', prepare: (page) => inDialog(page, /^Manage subscription of /) },
  { name: 'all-hosts', path: '/host/host-master' },
]
