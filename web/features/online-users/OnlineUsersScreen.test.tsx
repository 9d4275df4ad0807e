import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { OnlineUsersAnswer } from '../../../shared/room-users.ts'
import {
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { expectToast, inDialog, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

let aheadMs = 0
const server = await setup({ now: () => Date.now() + aheadMs })
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})

/** Adds people whose phones are online. */
const join = (...usernames: string[]) =>
  Promise.all(
    usernames.map(async (username, index) => {
      const person = await buildRoomUser(server, host, { username, user_id: `U00000${index}` })
      return buildPhone(server, host, person)
    }),
  )
async function openOnline() {
  const page = openPage(server, '/host/online', { ...host, role: 'host' })
  await screen.findByText('Currently Online')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Mute All' })).toHaveProperty('disabled', false))
  /** Uses the keyboard, since a click on a button that has just appeared is ignored. */
  const enter = async (name: string) => {
    ;(await screen.findByRole('button', { name })).focus()
    await page.user.keyboard('{Enter}')
  }
  const choose = async (username: string, item: string) => {
    await enter(`Actions for ${username}`)
    await page.user.click(await screen.findByRole('menuitem', { name: item }))
  }
  return { ...page, enter, choose }
}
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const raiseHand = (phone: TestPhone) => {
  aheadMs += 1 // no two hands in the same millisecond
  return call(server, 'POST', '/mobile/status', { as: phone, body: { wants_to_speak: true } })
}
const online = async () => {
  const { body } = await call(server, 'GET', '/host/online-users', { as: host })
  return OnlineUsersAnswer.parse(body).data.users.toSorted((a, b) => a.username.localeCompare(b.username))
}
const expectOnline = (...people: object[]) => expect.poll(online).toMatchObject(people)
const state = (phone: TestPhone | undefined) =>
  document.querySelector(`[data-user-id="${phone?.id}"]`)?.getAttribute('data-state')
const expectState = (phone: TestPhone | undefined, wanted: string) => waitFor(() => expect(state(phone)).toBe(wanted))
const acts = (calls: string[]) => calls.filter((made) => /^POST \/host\//.test(made))
/** Repeats a press, which is ignored while the queue has just moved, or right after another press. */
const pressUntilSent = (calls: string[], times: number, press: () => Promise<unknown>) =>
  waitFor(async () => {
    await press()
    expect(acts(calls).filter((made) => made.endsWith('/next-speaker'))).toHaveLength(times)
  })
const queue = () => {
  const list = screen.queryByRole('list', { name: 'Raised hands, in order' })
  return list
    ? within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    : []
}
const expectQueue = (...entries: RegExp[]) =>
  waitFor(() => expect(queue()).toEqual(entries.map((entry) => expect.stringMatching(entry))))

describe('Mute All, Unmute All and Logout All', () => {
  test('ask first where they open or empty a room of more than ten', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `person ${index}`)
    await join(...names)
    const { user, calls } = await openOnline()
    await press(user, 'Mute All')
    await screen.findByText('Mute All is on')
    await expectOnline(...names.map(() => ({ is_muted: true })))

    await press(user, 'Unmute All')
    await press(user, 'Cancel', await inDialog('Unmute 11 users?'))
    await noDialog()
    await press(user, 'Logout All')
    await press(user, 'Cancel', await inDialog('Sign out 11 users?'))
    await noDialog()
    await press(user, 'Unmute All')
    await press(user, 'Unmute All', await inDialog('Unmute 11 users?'))
    await expectOnline(...names.map(() => ({ is_muted: false })))
    await press(user, 'Logout All')
    await press(user, 'Logout All', await inDialog('Sign out 11 users?'))
    await expectToast('11 users signed out')
    await screen.findByText('No users are currently online')
    expect(acts(calls).slice(0, 3)).toEqual([
      'POST /host/trigger-bulk-mute/mute',
      'POST /host/trigger-bulk-mute/unmute',
      'POST /host/users/bulk/logout',
    ])
  })

  test('a stopped room says why no one is online', async () => {
    await call(server, 'POST', '/host/profile/stop', { as: host })
    await openOnline()
    await screen.findByText('Your room is stopped: no phone can sign in until you activate it on Host Master.')
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Host Master' })).toBeTruthy()
  })

  test('say that no one is online', async () => {
    const { user, calls } = await openOnline()
    await screen.findByText('No users are currently online')
    for (const name of ['Mute All', 'Unmute All', 'Logout All']) {
      await press(user, name)
      await expectToast('No users to perform action on')
    }
    await press(user, 'Refresh')
    await waitFor(() => expect(acts(calls)).toEqual(['POST /host/cleanup-stale-users']))
  })

  test('show a Mute All on the tiles at once, say that it is under way, and take it back when it fails', async () => {
    await join('amina')
    const { user, refuse, before } = await openOnline()
    refuse('POST', /^\/host\/trigger-bulk-mute\/mute$/, { status: 0 })
    before('POST', /^\/host\/trigger-bulk-mute\/mute$/, async () => {
      await screen.findByText('May speak')
      screen.getByText('Mute All is off')
      await screen.findByText('Turning Mute All on…')
    })
    await press(user, 'Mute All')
    await expectToast(
      'Failed to mute users. There is no connection to Parley. It may still happen; this page shows it then.',
    )
    await screen.findByText('Mute All is off')
    await waitFor(() => expect(screen.queryByText('May speak')).toBeNull())
  })

  test('undo a Mute All, but not the single mute before it', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await call(server, 'POST', `/host/users/${amina?.id}/mute`, { as: host })
    const { user } = await openOnline()
    await expectState(amina, 'muted')
    await press(user, 'Mute All')
    await expectState(ben, 'muted')
    await press(user, /^Undo/)
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull())
    await expectState(ben, 'listening')
    await expectState(amina, 'muted')
    await expectOnline({ username: 'amina', is_muted: true }, { username: 'ben', is_muted: false })
    expect(screen.queryByText('Mute All is on')).toBeNull()
  })
})

test('Undo stays when its answer is lost, and is repeated without a second effect', async () => {
  const [amina] = await join('amina')
  const { user, calls, loseAnswer } = await openOnline()
  await press(user, 'Mute All')
  await expectState(amina, 'muted')
  loseAnswer('POST', /^\/host\/undo-mute-all$/)
  await press(user, /^Undo/)
  await expectToast('Failed to unmute users. There is no connection to Parley.')
  await press(user, /^Undo/)
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull())
  await expectState(amina, 'listening')
  expect(acts(calls).filter((act) => act.endsWith('undo-mute-all'))).toHaveLength(2)
})

test('Undo leaves the room alone once another console has muted it again, and says so', async () => {
  const [amina] = await join('amina')
  const { user } = await openOnline()
  await press(user, 'Mute All')
  await expectState(amina, 'muted')
  for (const action of ['unmute', 'mute']) await call(server, 'POST', `/host/trigger-bulk-mute/${action}`, { as: host })
  await press(user, /^Undo/)
  await expectToast('The room has been muted or unmuted again in the meantime.')
  await expectState(amina, 'muted')
  await screen.findByText('Mute All is on')
})

describe('a tile', () => {
  test('mutes and unmutes by its menu, copies credentials, shows details and logs out', async () => {
    const [, ben] = await join('amina', 'ben')
    const { user, choose } = await openOnline()
    await choose('ben', 'Mute')
    await expectState(ben, 'muted')
    await choose('ben', 'Unmute')
    await expectState(ben, 'listening')
    await choose('ben', 'Copy credentials')
    await expectToast('Credentials copied to clipboard')
    expect(await navigator.clipboard.readText()).toContain('Username: ben')
    await choose('ben', 'Details')
    ;(await inDialog('ben')).getByText('U000001')
    await user.keyboard('{Escape}')
    await noDialog()
    await choose('ben', 'Sign out')
    await screen.findByText('ben signed out')
    await expectOnline({ username: 'amina' })
    await waitFor(() => expect(state(ben)).toBeUndefined())
  })

  test('deactivates a user only after a question', async () => {
    await join('dina')
    const { user, choose, calls } = await openOnline()
    await choose('dina', 'Deactivate')
    await press(user, 'Cancel', await inDialog('Deactivate dina?'))
    await noDialog()
    expect(acts(calls)).toEqual([])
    await choose('dina', 'Deactivate')
    await press(user, 'Deactivate user', await inDialog('Deactivate dina?'))
    await screen.findByText('dina deactivated')
    await expectOnline()
  })

  test('unmutes by a key, and says that another console was quicker', async () => {
    const [chen] = await join('chen')
    const act = (action: string) => call(server, 'POST', `/host/users/${chen?.id}/${action}`, { as: host })
    await act('mute')
    const { before, enter, choose } = await openOnline()
    const unmute = () => enter('Unmute chen')
    const pressedAt = 10_000_000 // later than any real press
    const now = vi.spyOn(performance, 'now').mockReturnValue(pressedAt)
    await unmute()
    await expectState(chen, 'listening')
    await enter('Actions for chen') // pressed twice
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    now.mockReturnValue(pressedAt + 500)
    await choose('chen', 'Mute')
    await expectState(chen, 'muted')
    before('POST', /\/unmute$/, () => act('unmute'))
    await unmute()
    await screen.findByText('chen has changed: no longer muted')
    await expectState(chen, 'listening')
    now.mockRestore()
  })
})

describe('the queue', () => {
  test('allows, refuses and calls those who ask, one by one', async () => {
    const [amina, ben, chen] = await join('amina', 'ben', 'chen')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [chen, amina, ben]) if (phone) await raiseHand(phone)
    const { enter, calls } = await openOnline()
    await expectQueue(/^1chenwaiting \d:\d\d/, /^2aminawaiting \d:\d\d/, /^3benwaiting \d:\d\d/)
    await enter('Allow chen')
    await expectState(chen, 'listening')
    await expectQueue(/amina/, /ben/)
    await enter('Lower the hand of amina')
    await expectQueue(/ben/)
    await expectState(amina, 'muted')
    await pressUntilSent(calls, 1, () => enter('Next')) // takes the floor from the user who has it
    await expectState(ben, 'listening')
    await expectState(chen, 'muted')
    await screen.findByText('No one wants to speak')
  })

  test('says that a hand was lowered as the host allowed it, and unmutes nobody', async () => {
    const [amina] = await join('amina')
    await call(server, 'POST', `/host/users/${amina?.id}/mute`, { as: host })
    if (amina) await raiseHand(amina)
    const { enter, ...page } = await openOnline()
    await expectQueue(/amina/)
    page.before('POST', /\/unmute$/, () => call(server, 'POST', `/host/users/${amina?.id}/lower-hand`, { as: host }))
    await enter('Allow amina')
    await expectToast('amina no longer wants to speak')
    await expectOnline({ is_muted: true })
  })

  test('lets one speak by a double click on Next, and by keys that are quicker than the server', async () => {
    const [amina, ben] = await join('amina', 'ben', 'chen')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [amina, ben]) if (phone) await raiseHand(phone)
    const { user, calls } = await openOnline()
    await expectQueue(/amina/, /ben/)
    await user.dblClick(screen.getByRole('button', { name: 'Next' }))
    await expectQueue(/ben/)
    await expectState(amina, 'listening')
    await expectState(ben, 'wants-to-speak')
    expect(acts(calls)).toEqual(['POST /host/next-speaker'])
    await pressUntilSent(calls, 2, () => user.keyboard('{Alt>}nn{/Alt}'))
    await expectState(ben, 'listening')
    await expectState(amina, 'muted')
    expect(acts(calls)).toEqual(['POST /host/next-speaker', 'POST /host/next-speaker'])
  })

  test('takes the floor from whom another console has let speak', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [amina, ben]) if (phone) await raiseHand(phone)
    const { enter, calls } = await openOnline()
    await expectQueue(/amina/, /ben/)
    await call(server, 'POST', `/host/users/${amina?.id}/unmute`, { as: host })
    await expectQueue(/ben/)
    await pressUntilSent(calls, 1, () => enter('Next'))
    await expectState(ben, 'listening')
    await expectState(amina, 'muted')
  })

  test('lets one speak when two consoles press Next for the same hand, and says who it is', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [amina, ben]) if (phone) await raiseHand(phone)
    const { enter, before } = await openOnline()
    await expectQueue(/amina/, /ben/)
    before('POST', /\/next-speaker$/, () => call(server, 'POST', '/host/next-speaker', { as: host }))
    await enter('Next')
    await expectToast('amina has been let speak already.')
    await expectQueue(/ben/)
    await expectState(amina, 'listening')
    await expectState(ben, 'wants-to-speak')
  })

  test('is moved on by keys, except while a text is entered or keys are off', async () => {
    const [amina] = await join('amina', 'ben')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    if (amina) await raiseHand(amina)
    const { user, calls } = await openOnline()
    await expectQueue(/amina/)
    const filter = screen.getByLabelText('Filter users')
    await user.type(filter, 'nmM')
    expect(filter).toHaveProperty('value', 'nmM')
    await user.clear(filter)
    filter.blur()
    await press(user, 'Turn keys off')
    await user.keyboard('{Alt>}n{/Alt}')
    await press(user, 'Turn keys on')
    expect(acts(calls)).toEqual([])
    await user.keyboard('{Alt>}n{/Alt}')
    await expectState(amina, 'listening')
    await user.keyboard('{Alt>}m{/Alt}')
    await expectState(amina, 'muted')
    await user.keyboard('{Alt>}{Shift>}M{/Shift}{/Alt}')
    await waitFor(() =>
      expect(acts(calls)).toEqual([
        'POST /host/next-speaker',
        `POST /host/users/${amina?.id}/mute`,
        'POST /host/trigger-bulk-mute/mute',
      ]),
    )
  })
})

describe('what is shown', () => {
  const shownNames = () =>
    [...document.querySelectorAll('[data-user-id]')].map((tile) => tile.querySelector('bdi')?.textContent)
  const expectShown = (...names: string[]) => waitFor(() => expect(shownNames()).toEqual(names))

  test('is filtered by a count in the bar, and a second press shows all again', async () => {
    const [amina, ben] = await join('amina', 'ben', 'chen')
    if (ben) await raiseHand(ben)
    await call(server, 'POST', `/host/users/${amina?.id}/mute`, { as: host })
    const { user } = await openOnline()
    await expectShown('amina', 'ben', 'chen')
    await press(user, /^Want to speak\s*1$/)
    await expectShown('ben')
    await press(user, /^Not confirmed\s*1$/)
    await expectShown('amina')
    await press(user, /^Speaking\s*0$/)
    await screen.findByText('No users found')
    await press(user, /^Speaking\s*0$/)
    await expectShown('amina', 'ben', 'chen')
    expect(screen.queryByRole('button', { name: /^Only in the app/ })).toBeNull()
  })

  test('is found by typing anywhere, Enter only goes to the first, and Escape shows all', async () => {
    const [, , chen] = await join('amina', 'ben', 'chen')
    await call(server, 'POST', `/host/users/${chen?.id}/mute`, { as: host })
    const { user, calls } = await openOnline()
    await expectShown('amina', 'ben', 'chen')
    await user.keyboard('ch')
    await expectShown('chen')
    await user.keyboard('{Enter}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Unmute chen')
    expect(acts(calls)).toEqual([])
    await user.keyboard('b')
    await expectShown('ben')
    await user.keyboard('{Escape}')
    await expectShown('amina', 'ben', 'chen')
    await user.click(screen.getByRole('radio', { name: 'Compact' }))
    await user.keyboard('am')
    await expectShown('amina')
    await press(user, 'Show all')
    await expectShown('amina', 'ben', 'chen')
  })

  test('is a group of one reference, which is muted, unmuted and signed out as one', async () => {
    for (const [index, reference] of ['Alto', 'alto ', 'Bass', null].entries()) {
      const person = await buildRoomUser(server, host, { username: `user ${index}`, reference })
      await buildPhone(server, host, person)
    }
    const { user, calls } = await openOnline()
    await user.click(await screen.findByRole('combobox', { name: 'Group, by the reference' }))
    await user.click(await screen.findByRole('option', { name: 'Alto (2)' }))
    await expectShown('user 0', 'user 1')
    await press(user, 'Mute group')
    await expectToast('2 users muted')
    await press(user, 'Unmute group')
    await expectToast('2 users unmuted')
    await press(user, 'Sign out group')
    await press(user, 'Sign out group', await inDialog('Sign out 2 users of “Alto”?'))
    await expectToast('2 users signed out')
    expect(acts(calls)).toEqual(['mute', 'unmute', 'logout'].map((action) => `POST /host/users/bulk/${action}`))
    await screen.findByText('No users found')
    await press(user, 'Show all')
    await expectShown('user 2', 'user 3')
  })

  test('is the groups first; a reference of one user is found by typing, and Escape in the field shows all', async () => {
    for (const [index, reference] of ['Alto', 'Alto', 'Her brother', 'Lent phone'].entries()) {
      const person = await buildRoomUser(server, host, { username: `user ${index}`, reference })
      await buildPhone(server, host, person)
    }
    const { user } = await openOnline()
    await expectShown('user 0', 'user 1', 'user 2', 'user 3')
    const field = await screen.findByRole('combobox', { name: 'Group, by the reference' })
    const offered = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
    await user.click(field)
    await waitFor(() => expect(offered()).toEqual(['Alto (2)', '2 more with one user each: type to find']))
    await user.type(field, 'her')
    await user.click(await screen.findByRole('option', { name: 'Her brother (1)' }))
    await expectShown('user 2')
    expect(document.activeElement).toBe(field)
    await user.keyboard('{Escape}')
    await expectShown('user 0', 'user 1', 'user 2', 'user 3')
  })

  test('counts the raised hands in the title of the tab', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await openOnline()
    const expectTitle = (title: string) => waitFor(() => expect(document.title).toBe(`${title} · Parley`))
    await expectTitle('Online Users')
    if (amina) await raiseHand(amina)
    await expectTitle('(1) Online Users')
    if (ben) await raiseHand(ben)
    await expectTitle('(2) Online Users')
    await call(server, 'POST', `/host/users/${ben?.id}/lower-hand`, { as: host })
    await expectTitle('(1) Online Users')
  })

  test('is a list with sorted columns where that was chosen, also after a reload', async () => {
    const [, ben] = await join('amina', 'ben', 'chen')
    if (ben) await raiseHand(ben)
    const { user } = await openOnline()
    await user.click(screen.getByRole('radio', { name: 'List' }))
    await screen.findByRole('table', { name: `${host.rooms[0]?.name} - All Participants` })
    await press(user, 'State')
    await expectShown('ben', 'amina', 'chen')
    await press(user, 'Name')
    await press(user, 'Name')
    await expectShown('chen', 'ben', 'amina')
    const sorted = screen.getByRole('columnheader', { name: 'Name' })
    expect(sorted.getAttribute('aria-sort')).toBe('descending')
    await press(user, 'Name')
    await expectShown('amina', 'ben', 'chen')
    cleanup()
    await openOnline()
    await screen.findByRole('columnheader', { name: 'User ID' })
  })
})

describe('Mute all but this one', () => {
  test('is one act from the speaker or the menu, and is undone like Mute All', async () => {
    const [amina, ben, chen] = await join('amina', 'ben', 'chen')
    await call(server, 'POST', `/host/users/${chen?.id}/mute`, { as: host })
    if (amina)
      await call(server, 'POST', '/mobile/status', { as: amina, body: { speaker_on: true, is_speaking: true } })
    const { user, calls, enter, choose } = await openOnline()
    await enter('Mute all but amina')
    await expectState(ben, 'muted')
    await expectState(amina, 'speaking')
    await screen.findByText('Mute All is on')
    await press(user, /^Undo/)
    await expectState(ben, 'listening')
    await expectState(chen, 'muted')
    await waitFor(() => expect(screen.queryByText('Mute All is on')).toBeNull())

    await choose('ben', 'Mute all but this one')
    await expectState(amina, 'muted')
    await screen.findByText('May speak')
    expect(acts(calls)).toEqual([
      'POST /host/trigger-bulk-mute/mute',
      'POST /host/undo-mute-all',
      'POST /host/trigger-bulk-mute/mute',
    ])
  })

  test('says why it failed, and shows the room as it is', async () => {
    await join('amina', 'ben')
    const { refuse, choose } = await openOnline()
    refuse('POST', /^\/host\/trigger-bulk-mute\/mute$/, { status: 404, message: 'User not found' })
    await choose('amina', 'Mute all but this one')
    await expectToast('User not found')
    await waitFor(() => expect(screen.queryByText('Mute All is on')).toBeNull())
  })
})

describe('an empty room', () => {
  test('leads to what comes next, and has no hint about tiles', async () => {
    await openOnline()
    await screen.findByText(/^Your room has no users yet\./)
    expect(screen.getByRole('link', { name: 'Add users' }).getAttribute('href')).toBe('/host/users')
    expect(screen.queryByText(/^Click a muted user/)).toBeNull()
    cleanup()
    await buildRoomUser(server, host)
    await openOnline()
    await screen.findByText(/^Your room has 1 user\./)
    expect(screen.getByRole('link', { name: 'Send sign-in details' }).getAttribute('href')).toBe('/host/users')
  })
})

test('reports each action that fails, with the message of the server if there is one', async () => {
  const [amina, ben] = await join('amina', 'ben')
  if (ben) await raiseHand(ben)
  const { user, refuse, enter, choose } = await openOnline()
  await expectQueue(/ben/)
  refuse('POST', /^\/host\/trigger-bulk-mute\/mute$/, { status: 503, message: 'Too busy just now.' })
  refuse('POST', /^\/host\//, { status: 0 })
  for (const [item, text] of [
    ['Mute', 'Failed to mute user. There is no connection to Parley.'],
    ['Copy credentials', 'Failed to copy credentials. There is no connection to Parley.'],
    ['Sign out', 'Failed to logout user. There is no connection to Parley.'],
  ] as const) {
    await choose('amina', item)
    await expectToast(text)
  }
  await enter('Lower the hand of ben')
  await expectToast('Failed to lower the hand. There is no connection to Parley.')
  for (const [name, text] of [
    ['Mute All', 'Too busy just now.'],
    [
      'Unmute All',
      'Failed to unmute users. There is no connection to Parley. It may still happen; this page shows it then.',
    ],
    ['Logout All', 'Failed to logout users. There is no connection to Parley.'],
    ['Refresh', 'Failed to refresh data. There is no connection to Parley.'],
  ] as const) {
    await press(user, name)
    await expectToast(text)
  }
  await expectState(amina, 'listening')
  await expectQueue(/ben/)
})
