import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect } from 'vitest'
import type { RoomUser } from '../../shared/room-users.ts'
import { buildHost, buildRoomUser, type TestHost } from '../factories/accounts.ts'
import { setup } from '../servers/setup.ts'
import type { TestServer } from '../servers/start.ts'
import { openPage } from './page.tsx'

export let server: TestServer
/** A new host for each test. */
export let host: TestHost

/** Starts a server for a file's tests of Users Master. */
export async function setupUsers(): Promise<void> {
  server = await setup()
  beforeEach(async () => {
    host = await buildHost(server)
  })
}

export const openUsers = (search = '') => openPage(server, `/host/users${search}`, { ...host, role: 'host' })
/** Adds them sequentially, since the list keeps the order in which they were added. */
export async function addUsers(...usernames: string[]) {
  const users: RoomUser[] = []
  for (const username of usernames)
    users.push(await buildRoomUser(server, host, { username, user_id: `id-${username}` }))
  return users
}
export const row = async (username: string) =>
  within(await screen.findByRole('row', { name: new RegExp(`Select ${username} `) }))
export const status = async (username: string, word: string) => (await row(username)).findAllByText(word)
export const expectNoDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
export const button = (name: string | RegExp) => screen.findByRole('button', { name })
