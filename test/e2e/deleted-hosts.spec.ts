import { http } from '../server-process.ts'
import { FAILED_CALL } from './support/console-errors.ts'
import { cutOffOnce } from './support/cut-off.ts'
import { actOnHost, openListOf } from './support/host-list.ts'
import { signInHost } from './support/hosts.ts'
import { expectShownBriefly } from './support/shown-briefly.ts'
import { expect, test } from './support/test.ts'

test('a host is deleted, restored, deleted again and purged', async ({
  masterPage: page,
  server,
  host,
  master,
  consoleErrors,
}) => {
  consoleErrors.allow(FAILED_CALL)
  const { username } = host
  const question = page.getByRole('dialog', { name: `Delete ${username}?` })
  const nothing = page.getByText('No hosts found')
  const says = (words: string, act: () => Promise<void>) => expectShownBriefly(page, page.getByText(words), act)
  const remove = () => question.getByRole('button', { name: 'Delete host' }).click()
  const askedToRemove = async () => {
    await actOnHost(page, server, host, 'Delete')
    await expect(
      question.getByText('Its data is kept for 30 days, in which it can be restored, and then erased for good.'),
    ).toBeVisible()
  }

  await page.clock.install()
  await cutOffOnce(page, '/admin/hosts/*')
  await askedToRemove()
  await says('Failed to delete host: Please try again.', remove)
  await askedToRemove()
  await says(`Host "${username}" deleted successfully. All associated data has been removed.`, remove)
  await expect(nothing).toBeVisible()

  await page.getByRole('combobox', { name: 'Show', exact: true }).selectOption('deleted')
  await expect(page.getByText('30 days left')).toBeVisible()
  await says(`Host "${username}" restored. Zoom has to be connected again.`, () =>
    page.getByRole('button', { name: `Restore ${username}` }).click(),
  )
  await expect(nothing).toBeVisible()
  await signInHost(server, host)

  await askedToRemove()
  await remove()
  await expect(nothing).toBeVisible()
  await openListOf(page, server, host, 'deleted')
  await page.getByRole('button', { name: `Purge ${username} now` }).click()
  await says('The data of this host has been removed for good.', () =>
    page
      .getByRole('dialog', { name: `Purge ${username} now?` })
      .getByRole('button', { name: 'Purge now' })
      .click(),
  )
  await expect(nothing).toBeVisible()
  const { body } = await http(server, 'GET', '/admin/hosts?deleted=true', { token: master.token })
  expect(body.data.hosts.filter(({ id }: { id: string }) => id === host.id)).toEqual([])
})
