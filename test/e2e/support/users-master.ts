import type { Locator, Page } from '@playwright/test'
import type { ServerProcess } from '../../servers/server-process.ts'

interface UsersMaster {
  button: (name: string | RegExp) => Locator
  row: (username: string) => Locator
  rows: Locator
  /** Locates the label of the row's status. */
  status: (username: string, word: string) => Locator
  menuItems: Locator
  openMenu: (username: string) => Promise<void>
  /** Opens the user's menu and chooses an item. */
  choose: (username: string, item: string) => Promise<void>
  bulk: (action: string) => Locator
  dialog: Locator
}

/** Opens Users Master as the host who is signed in to this page, and records its toasts. */
export async function openUsersMaster(page: Page, server: ServerProcess): Promise<UsersMaster> {
  await page.goto(`${server.host_url}/host/users`)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const row = (username: string) => page.getByRole('row', { name: new RegExp(`Select ${username} `) })
  const openMenu = (username: string) => button(`More actions for ${username}`).click()
  return {
    button,
    row,
    rows: page.getByRole('row'),
    status: (username, word) => row(username).getByText(word, { exact: true }).filter({ visible: true }),
    menuItems: page.getByRole('menuitem'),
    openMenu,
    async choose(username, item) {
      await openMenu(username)
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    },
    bulk: (action) =>
      page.getByRole('region', { name: 'Bulk actions' }).getByRole('button', { name: action, exact: true }),
    dialog: page.getByRole('dialog'),
  }
}
