import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect } from 'vitest'
import { OnlineUsersAnswer } from '../../shared/room-users.ts'
import { buildHost, buildPhone, buildRoomUser, call, type TestHost, type TestPhone } from '../factories/accounts.ts'
import { setup } from '../servers/setup.ts'
import type { TestServer } from '../servers/start.ts'
import { openPage } from './page.tsx'

let aheadMs = 0
export let server: TestServer
/** A new host for each test. */
export let host: TestHost

/** Starts a server for a file's tests of the Online page. */
export async function setupOnline(): Promise<void> {
  server = await setup({ now: () => Date.now() + aheadMs })
  beforeEach(async () => {
    host = await buildHost(server)
  })
}

/** Adds people whose phones are online. */
export const join = (...usernames: string[]) =>
  Promise.all(
    usernames.map(async (username, index) => {
      const person = await buildRoomUser(server, host, { username, user_id: `U00000${index}` })
      return buildPhone(server, host, person)
    }),
  )
export async function openOnline() {
  const page = openPage(server, '/host/online', { ...host, role: 'host' })
  await screen.findByText('Currently Online')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Mute All' })).toHaveProperty('disabled', false))
  /**
   * Uses the keyboard, since a click on a button that has just appeared is ignored. A late poll disables the buttons for a
   * moment.
   */
  const enter = async (name: string) => {
    const found = await screen.findByRole('button', { name })
    if (found.matches(':disabled')) await waitFor(() => expect(found.matches(':disabled')).toBe(false))
    found.focus()
    await page.user.keyboard('{Enter}')
  }
  const choose = async (username: string, item: string) => {
    await enter(`Actions for ${username}`)
    await page.user.click(await screen.findByRole('menuitem', { name: item }))
  }
  return { ...page, enter, choose }
}
export const expectNoDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
export function passTime(ms: number): void {
  aheadMs += ms
}
export const raiseHand = (phone: TestPhone) => {
  aheadMs += 1 // no two hands in the same millisecond
  return call(server, 'POST', '/mobile/status', { as: phone, body: { wants_to_speak: true } })
}
export const listOnlineUsers = async () => {
  const { body } = await call(server, 'GET', '/host/online-users', { as: host })
  return OnlineUsersAnswer.parse(body).data.users.toSorted((a, b) => a.username.localeCompare(b.username))
}
export const expectOnline = (...people: object[]) => expect.poll(listOnlineUsers).toMatchObject(people)
export const state = (phone: TestPhone | undefined) =>
  document.querySelector(`[data-user-id="${phone?.id}"]`)?.getAttribute('data-state')
export const expectState = (phone: TestPhone | undefined, wanted: string) =>
  waitFor(() => expect(state(phone)).toBe(wanted))
export const hostCalls = (calls: string[]) => calls.filter((made) => /^POST \/host\//.test(made))
/** Repeats a press, which is ignored while the queue has just moved, or right after another press. */
export const pressUntilSent = (calls: string[], times: number, press: () => Promise<unknown>, path = '/next-speaker') =>
  waitFor(async () => {
    await press()
    expect(hostCalls(calls).filter((made) => made.endsWith(path))).toHaveLength(times)
  })
export const queue = () => {
  const list = screen.queryByRole('list', { name: 'Raised hands, in order' })
  return list
    ? within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    : []
}
export const expectQueue = (...entries: RegExp[]) =>
  waitFor(() => expect(queue()).toEqual(entries.map((entry) => expect.stringMatching(entry))))
