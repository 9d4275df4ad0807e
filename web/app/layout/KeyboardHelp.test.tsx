import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildMaster,
  buildRoomUser,
  type TestHost,
} from '../../../test/factories/accounts.ts'
import { fill, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { ROOM_ACT_KEYS } from '../../features/online-users/controls/room-keys.ts'
import { PLAYER_KEYS } from '../../features/recordings/player-keys.ts'
import { HELP_KEY, SEARCH_SHORTCUTS } from './shortcuts.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})

const openUsers = async () => {
  const page = openPage(server, '/host/users', { ...host, role: 'host' })
  await screen.findByRole('heading', { name: 'Users Master' })
  return page
}
const noHelp = () => expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()

test('“?” shows the shortcuts, but not while it is typed, or over something that is open', async () => {
  await buildRoomUser(server, host) // without users there is no field
  const { user } = await openUsers()
  ;(await screen.findByRole('searchbox', { name: 'Filter users' })).focus()
  await user.keyboard('?')
  noHelp()
  await press(user, /^Search/)
  await inDialog('Go to')
  fireEvent.keyDown(document.body, { key: '?' }) // the focus may be on nothing in it
  noHelp()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: '?', shiftKey: true })
    screen.getByRole('dialog', { name: 'Keyboard shortcuts' })
  })
})

test('the shortcuts are in the search and in the account menu', async () => {
  const { user } = await openUsers()
  await press(user, /^Search/)
  fill(await screen.findByRole('combobox', { name: /^Go to a page/ }), 'keyb')
  await user.click(await screen.findByRole('option', { name: 'Keyboard shortcuts' }))
  await inDialog('Keyboard shortcuts')
  await user.keyboard('{Escape}')
  await waitFor(noHelp)
  await press(user, 'Your account')
  await user.click(await screen.findByRole('menuitem', { name: /^Keyboard shortcuts/ }))
  await inDialog('Keyboard shortcuts')
})

test('lists every key that is registered, for the pages of the account', async () => {
  const groupsFor = async () => {
    const dialog = await inDialog('Keyboard shortcuts')
    const groups = dialog.getAllByRole('region').map((group) => {
      const keys = within(group)
        .getAllByRole('listitem')
        .map((item) => [...item.querySelectorAll('kbd')].map(({ textContent }) => textContent).join(' '))
      return [group.getAttribute('aria-label'), keys] as const
    })
    return new Map(groups)
  }
  const open = async (path: string, visitor: Parameters<typeof openPage>[2]) => {
    const { user } = openPage(server, path, visitor)
    await screen.findByRole('button', { name: 'Your account' })
    await user.keyboard('?')
    return groupsFor()
  }
  const all = await open('/host/users', { ...host, role: 'host' })
  const everywhere = all.get('Everywhere')?.join(' ') ?? ''
  for (const key of [...SEARCH_SHORTCUTS.map((one) => one.replace('mod + ', 'Ctrl ')), HELP_KEY])
    expect(everywhere).toContain(key)
  expect(all.get('On the page Online')).toEqual(expect.arrayContaining(ROOM_ACT_KEYS.map(({ keys }) => keys.join(' '))))
  expect(all.get('While a recording plays, in its player')).toEqual(PLAYER_KEYS.map(({ shown }) => shown))
})

test('a moderator sees no keys of recordings, and a master none of a room', async () => {
  const moderator = await buildAssistant(server, host, 'moderator', 'Deputy')
  const titles = () => screen.getAllByRole('region').map((group) => group.getAttribute('aria-label'))
  const first = openPage(server, '/host/account', { ...moderator, role: 'moderator' })
  await screen.findByRole('button', { name: 'Your account' })
  await first.user.keyboard('?')
  await inDialog('Keyboard shortcuts')
  expect(titles()).not.toContain('While a recording plays, in its player')
  expect(titles()).toContain('On the page Online')
  cleanup()
  const { user } = openPage(server, '/master/account', { ...(await buildMaster(server)), role: 'master' })
  await screen.findByRole('button', { name: 'Your account' })
  await user.keyboard('?')
  await inDialog('Keyboard shortcuts')
  expect(titles()).toContain('Everywhere')
  expect(titles()).not.toContain('On the page Online')
})
