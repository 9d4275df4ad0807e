import { screen, waitFor, type within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, type TestHost } from '../../../test/factories/accounts.ts'
import { fill, inDialog, openPage, type Page, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()

type Inside = ReturnType<typeof within>

async function pressTwice({ user }: Page, name: string | RegExp, inside: Inside = screen) {
  const [button] = await inside.findAllByRole('button', { name })
  if (button) await user.dblClick(button)
}

async function open(page: Page, button: string, dialog: string): Promise<Inside> {
  await press(page.user, button)
  return inDialog(dialog)
}

const isActing = (made: string) => !made.startsWith('GET ') && made !== 'POST /auth/verify'

type Act = {
  name: string
  asHost?: true
  path?: string
  deleted?: true
  act: (page: Page, host: TestHost) => Promise<void>
}

const manage = (page: Page, { username }: TestHost) =>
  open(page, `Manage subscription of ${username}`, 'Manage Subscription')

const ACTS: Act[] = [
  { name: 'Extend', act: async (page, host) => pressTwice(page, 'Extend', await manage(page, host)) },
  {
    name: 'Cancel subscription',
    async act(page, host) {
      await press(page.user, 'Cancel subscription', await manage(page, host))
      await pressTwice(page, 'Cancel subscription', await inDialog(`Cancel the subscription of ${host.username}?`))
    },
  },
  {
    name: 'Set end date',
    async act(page, { username }) {
      const dialog = await open(page, `Edit ${username}`, 'Edit Host')
      fill(dialog.getByLabelText('Action'), 'set_date')
      fill(dialog.getByLabelText('End date'), '2199-01-01')
      await pressTwice(page, 'Save changes', dialog)
    },
  },
  {
    name: 'Extend subscriptions',
    async act(page, { username }) {
      const [box] = await screen.findAllByRole('checkbox', { name: `Select ${username}` })
      await page.user.click(box ?? document.body)
      await pressTwice(page, 'Extend 1', await open(page, 'Extend subscriptions', 'Extend 1 subscription'))
    },
  },
  {
    name: 'Delete',
    async act(page, { username }) {
      await pressTwice(page, `Delete ${username}`)
      await pressTwice(page, 'Delete host', await inDialog(`Delete ${username}?`))
    },
  },
  { name: 'Restore', deleted: true, act: (page, { username }) => pressTwice(page, `Restore ${username}`) },
  {
    name: 'Purge now',
    deleted: true,
    async act(page, { username }) {
      await pressTwice(page, `Purge ${username} now`)
      await pressTwice(page, 'Purge now', await inDialog(`Purge ${username} now?`))
    },
  },
  {
    name: 'Add Host',
    async act(page, { username }) {
      const dialog = await open(page, 'Add New Host', 'Add New Host Account')
      fill(dialog.getByLabelText(/^Email/), `new-${username}@example.org`)
      fill(dialog.getByLabelText(/^Username/), `new-${username}`)
      fill(dialog.getByLabelText(/^Password/), 'a long password')
      await pressTwice(page, 'Add Host', dialog)
    },
  },
  {
    name: "Stop a host's room",
    path: '/host/host-master',
    async act(page, { username }) {
      await pressTwice(page, `S: Stop the room of ${username}`)
      await pressTwice(page, 'Stop room', await inDialog(`Stop the room of ${username}?`))
    },
  },
  {
    name: 'Stop room',
    asHost: true,
    async act(page) {
      await pressTwice(page, 'S · Stop room')
      await pressTwice(page, 'Stop room', await inDialog('Stop your room?'))
    },
  },
]

describe('One press is one act', () => {
  test.each(ACTS)('$name, pressed twice, acts once and reports success', async ({ asHost, path, deleted, act }) => {
    const host = await buildHost(server)
    const master = await buildMaster(server)
    if (deleted) await call(server, 'DELETE', `/admin/hosts/${host.id}`, { as: master })
    const address = path ?? (asHost ? '/host/host-master' : `/master/hosts${deleted ? '?filter=deleted' : ''}`)
    const page = openPage(server, address, asHost ? { ...host, role: 'host' } : { ...master, role: 'master' })

    await act(page, host)
    await waitFor(() => expect(page.calls.filter(isActing)).toHaveLength(1))
    await screen.findByText(/success|extended by|cancelled$|restored|has been removed|is stopped/)
    expect(screen.queryByText(/^failed|just changed|error|not found/i)).toBeNull()
    expect(screen.queryByRole('button', { name: /^(Delete host|Purge now|Stop room)$/ })).toBeNull()
    expect(page.calls.filter(isActing)).toHaveLength(1)
  })

  test('a repeat of an extension whose answer was lost adds no second period', async () => {
    const host = await buildHost(server)
    const master = await buildMaster(server)
    const page = openPage(server, '/master/hosts', { ...master, role: 'master' })
    const dialog = await manage(page, host)
    const endOf = async () => {
      const { body } = await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })
      return body.data.subscription_end_date
    }
    page.loseAnswer('POST', /extend-subscription$/)
    await press(page.user, 'Extend', dialog)
    await dialog.findByText(
      'Failed to extend subscription. There is no connection to Parley. It may still happen; this page shows it then.',
    )
    const extended = await endOf()
    expect(extended).not.toBe(host.subscription_end_date)
    await press(page.user, 'Extend', dialog)
    await dialog.findByText('Subscription extended by 1 month')
    expect(await endOf()).toBe(extended)
  })
})
