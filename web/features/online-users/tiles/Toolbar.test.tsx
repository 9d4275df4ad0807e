import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { RoomUser } from '../../../../shared/room-users.ts'
import { buildPhone, buildRoomUser, call } from '../../../../test/factories/accounts.ts'
import { addGroup } from '../../../../test/factories/groups.ts'
import {
  host,
  hostCalls,
  join,
  openOnline,
  raiseHand,
  server,
  setupOnline,
} from '../../../../test/pages/online-page.ts'
import { expectToast, inDialog, press } from '../../../../test/pages/page.tsx'

await setupOnline()

const onlineIds = async (): Promise<string[]> =>
  (await call(server, 'GET', '/host/online-users', { as: host })).body.data.users.map(({ id }: { id: string }) => id)

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
    expect(hostCalls(calls)).toEqual([])
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
    await user.click(await screen.findByRole('combobox', { name: 'Group' }))
    await user.click(await screen.findByRole('option', { name: 'Alto (2)' }))
    await expectShown('user 0', 'user 1')
    await press(user, 'Mute group')
    await expectToast('2 users muted')
    await press(user, 'Unmute group')
    await expectToast('2 users unmuted')
    await press(user, 'Sign out group')
    await press(user, 'Sign out group', await inDialog('Sign out 2 users of “Alto”?'))
    await expectToast('2 users signed out')
    expect(hostCalls(calls)).toEqual(['mute', 'unmute', 'logout'].map((action) => `POST /host/users/bulk/${action}`))
    await screen.findByText('No users found')
    await press(user, 'Show all')
    await expectShown('user 2', 'user 3')
  })

  test('is unmuted again by Undo, but for those who were muted before, or have been let speak since', async () => {
    const people = await Promise.all(
      [0, 1, 2].map((index) => buildRoomUser(server, host, { username: `user ${index}`, reference: 'Alto' })),
    )
    for (const person of people) await buildPhone(server, host, person)
    const [muted, free, spoken] = people
    const act = (person: typeof muted, action: string) =>
      call(server, 'POST', `/host/users/${person?.id}/${action}`, { as: host })
    await act(muted, 'mute')
    const { user } = await openOnline()
    await user.click(await screen.findByRole('combobox', { name: 'Group' }))
    await user.click(await screen.findByRole('option', { name: 'Alto (3)' }))
    await press(user, 'Mute group')
    const undo = await screen.findByRole('button', { name: 'Undo' })
    await act(spoken, 'unmute')
    await act(spoken, 'mute')
    await act(spoken, 'unmute')
    await user.click(undo)
    await expectToast('Undone, except for 1 user who has changed since')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    const { body } = await call(server, 'GET', '/host/online-users', { as: host })
    const isMuted = Object.fromEntries(body.data.users.map((one: RoomUser) => [one.id, one.is_muted]))
    expect([muted, free, spoken].map((person) => isMuted[person?.id ?? ''])).toEqual([true, false, false])
  })

  test('is a group of the host, whose users stand in its colour and name, until it is deleted', async () => {
    const altos = await addGroup(server, host, { name: 'Altos' })
    const readers = await addGroup(server, host, { name: 'Readers' })
    for (const [index, group_ids] of [[altos.id, readers.id], [altos.id], []].entries()) {
      const person = await buildRoomUser(server, host, { username: `user ${index}`, reference: 'Alto', group_ids })
      await buildPhone(server, host, person)
    }
    const { user, calls } = await openOnline()
    await expectShown('user 0', 'user 1', 'user 2')
    const tile = screen.getByRole('button', { name: 'Actions for user 0' })
    expect(tile.title).toBe('Altos, Readers')
    const words = document.getElementById(tile.getAttribute('aria-describedby') ?? '')?.textContent
    expect(words).toContain(', in Altos, Readers')
    await user.click(screen.getByRole('combobox', { name: 'Group' }))
    await screen.findByRole('option', { name: 'Alto (3)' })
    await user.click(screen.getByRole('option', { name: 'Altos (2)' }))
    await expectShown('user 0', 'user 1')
    await press(user, 'Mute group')
    await expectToast('2 users muted')
    expect(hostCalls(calls)).toEqual(['POST /host/users/bulk/mute'])
    await call(server, 'POST', `/host/groups/${altos.id}/users`, {
      as: host,
      body: { userIds: (await onlineIds()).slice(0, 1), change: 'remove' },
    })
    await expectShown('user 1')
    await call(server, 'DELETE', `/host/groups/${altos.id}`, { as: host })
    await expectShown('user 0', 'user 1', 'user 2')
    expect(screen.queryByRole('group', { name: 'Group Altos' })).toBeNull()
  })

  test('is the groups first; a reference of one user is found by typing, and Escape in the field shows all', async () => {
    for (const [index, reference] of ['Alto', 'Alto', 'Her brother', 'Lent phone'].entries()) {
      const person = await buildRoomUser(server, host, { username: `user ${index}`, reference })
      await buildPhone(server, host, person)
    }
    const { user } = await openOnline()
    await expectShown('user 0', 'user 1', 'user 2', 'user 3')
    const field = await screen.findByRole('combobox', { name: 'Group' })
    const offered = () =>
      within(screen.getByRole('listbox'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent)
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
