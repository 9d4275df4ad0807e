import { beforeEach } from 'vitest'
import type { RoomUser } from '../../shared/room-users.ts'
import { setup } from '../servers/setup.ts'
import type { TestServer } from '../servers/start.ts'
import { buildHost, buildRoomUser, call, type TestHost } from './accounts.ts'

export const DAY_MS = 24 * 3_600_000
/** The server's clock. */
export const clock = { now: Date.parse('2026-11-21T10:00:00Z') }
export let server: TestServer
/** A new host for each test. */
export let host: TestHost
/** A user of the host's room, whose links are tested. */
export let user: RoomUser

/** Starts a server for a file's tests of one-time links. */
export async function setupLinks(): Promise<void> {
  server = await setup({ now: () => clock.now })
  beforeEach(async () => {
    clock.now += DAY_MS
    host = await buildHost(server)
    user = await buildRoomUser(server, host)
  })
}

export const createLink = (id = user.id, as = host) => call(server, 'POST', `/host/users/${id}/sign-in-link`, { as })
export const linkTokenIn = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('link') ?? ''
export const createLinkToken = async (id = user.id): Promise<string> =>
  linkTokenIn((await createLink(id)).body.data.url)
export const loginByLink = (link_token: unknown, fields: object = {}, from?: string) => {
  const device = { device_id: 'new', device_secret: null, device_model: 'iPhone 17', platform: 'web' }
  const body = { host_id: host.user_id, link_token, ...device, ...fields }
  return call(server, 'POST', '/mobile/link-login', { body, ...(from && { from }) })
}
export const actOnUser = (action: string, id = user.id) =>
  call(server, 'POST', `/host/users/${id}/${action}`, { as: host })
export const revokeLink = (id = user.id, as = host) => call(server, 'DELETE', `/host/users/${id}/sign-in-link`, { as })
export const listOpenLinks = async (as = host) =>
  (await call(server, 'GET', '/host/sign-in-links', { as })).body.data.links
export const readStoredLinks = () => server.deps.db.selectFrom('sign_in_links').selectAll().execute()
export const LINK_INVALID = {
  status: 400,
  body: {
    code: 'link_invalid',
    message: 'This link has been used or has run out. Please ask your host for a new one.',
  },
}
