import type { Page } from '@playwright/test'
import type { ServerProcess } from '../../server-process.ts'
import type { TestHost } from './hosts.ts'

/** The master's list with this host alone in it: it is searched by its e-mail, as other names may begin like its name. */
export async function openListOf(page: Page, { master_url }: ServerProcess, { email }: TestHost, filter?: string) {
  await page.goto(`${master_url}/master/hosts?${new URLSearchParams({ q: email, ...(filter && { filter }) })}`)
}

/** Presses a button of the host's row. */
export async function actOnHost(
  page: Page,
  server: ServerProcess,
  host: TestHost,
  action: 'View' | 'Edit' | 'Manage subscription of' | 'Delete',
) {
  await openListOf(page, server, host)
  await page.getByRole('button', { name: `${action} ${host.username}`, exact: true }).click()
}
