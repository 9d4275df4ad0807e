import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { HostLoginAnswer } from '../shared/auth.ts'
import { Done } from '../shared/envelope.ts'
import { CallFailure, call } from '../shared/phone/call.ts'
import {
  BULK_LIMIT,
  CredentialsOfManyAnswer,
  type RoomUser,
  RoomUserAnswer,
  RoomUsersAnswer,
} from '../shared/room-users.ts'
import type { PhoneLogin } from './crowd.ts'
import { deviceOf } from './device.ts'
import type { Options } from './options.ts'
import { sampleLoginOf } from './sample-logins.ts'

type Print = (line: string) => void

/** Reads the credentials from the file, or from the host's console, which creates missing users. */
export async function readCredentials(options: Options, print: Print): Promise<PhoneLogin[]> {
  const { count, credentials } = options
  if (credentials) return parseCredentials(await readFile(credentials, 'utf8')).slice(0, count)

  const api = `${options.server}/api`
  const { token, hostId } = await signInAsHost(api, options)
  try {
    if (hostId !== options['host-id']) throw new Error(`The login belongs to ${hostId}, not to ${options['host-id']}`)
    const { data } = await call(RoomUsersAnswer, 'GET', `${api}/host/users`, { token })
    const free = chooseUsers(data.users, hostId).slice(0, count)
    const known: PhoneLogin[] = []
    while (known.length < free.length) {
      const userIds = free.slice(known.length, known.length + BULK_LIMIT).map(({ id }) => id)
      const url = `${api}/host/users/bulk/credentials`
      const read = () => call(CredentialsOfManyAnswer, 'POST', url, { token, body: { userIds } })
      const { credentials, failed } = (await retryWhenLimited(read, print)).data
      if (failed[0]) throw new Error(`A user was deleted meanwhile: ${failed[0].message}`)
      known.push(...credentials.map(({ username, password }) => ({ username, password })))
      print(`${known.length} of ${free.length} logins are read`)
    }
    return [...known, ...(await addUsers({ api, token, print }, data.next_user_id, count - known.length))]
  } finally {
    await call(Done, 'POST', `${api}/auth/host/logout`, { token }).catch(() => {})
  }
}

/** Parses JSON, or CSV with one unquoted `username,password` per line; a password may contain commas. */
export function parseCredentials(text: string): PhoneLogin[] {
  if (text.trimStart().startsWith('[')) {
    return z.array(z.object({ username: z.string(), password: z.string() })).parse(JSON.parse(text))
  }
  const rows = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^username,password$/i.test(line.trim()))
  return rows.map((line, index) => {
    const [, username, password] = /^([^,]+),(.+)$/.exec(line) ?? []
    if (!username || !password) throw new Error(`Line ${index + 1} of the credentials is not username,password`)
    return { username: username.trim(), password }
  })
}

/** Chooses users who are active, offline, and not bound to another phone. */
export function chooseUsers(users: readonly RoomUser[], hostId: string): RoomUser[] {
  return users
    .filter(({ is_active, is_online }) => is_active && !is_online)
    .filter(({ device_id, username }) => device_id === null || device_id === deviceOf(hostId, username).device_id)
    .toSorted((a, b) => a.user_id.localeCompare(b.user_id))
}

async function signInAsHost(api: string, options: Options) {
  const sample = sampleLoginOf(options['host-id'])
  const username = options['host-username'] ?? sample?.username
  const password = options['host-password'] ?? sample?.password
  const hint = 'Give --host-username and --host-password, or --credentials (see --help).'
  if (!username || !password) throw new Error(`There is no login for ${options['host-id']}. ${hint}`)
  try {
    const body = { username, password }
    const { data } = await call(HostLoginAnswer, 'POST', `${api}/auth/host/login`, { body })
    const { user, token } = data
    return { token, hostId: user.role === 'host' ? user.user_id : user.host.user_id }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    const whose = options['host-username'] ? 'The host login' : "The demo's sample login"
    throw new Error(`${whose} was refused: ${error.message.replace(/\.$/, '')}. ${hint}`)
  }
}

async function addUsers(
  { api, token, print }: { api: string; token: string; print: Print },
  firstFree: string,
  count: number,
): Promise<PhoneLogin[]> {
  const added: PhoneLogin[] = []
  let user_id = firstFree
  while (added.length < count) {
    const person = { username: `Phone ${user_id}`, password: randomBytes(9).toString('base64url') }
    try {
      const body = { ...person, user_id, reference: 'Simulated phone' }
      await retryWhenLimited(() => call(RoomUserAnswer, 'POST', `${api}/host/users`, { token, body }), print)
      added.push(person)
      if (added.length % 100 === 0 || added.length === count) print(`${added.length} of ${count} users are added`)
      user_id = nextUserId(user_id)
    } catch (error) {
      // The id was taken in the meantime.
      if (!(error instanceof CallFailure) || error.code !== 'conflict') throw error
      user_id = (await call(RoomUsersAnswer, 'GET', `${api}/host/users`, { token })).data.next_user_id
    }
  }
  return added
}

/** The server limits how many passwords a host may reveal per minute. */
async function retryWhenLimited<T>(send: () => Promise<T>, print: Print): Promise<T> {
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof CallFailure) || error.status !== 429) throw error
      const waitMs = error.retryAfterMs ?? 0
      print(`${error.message.replace(/\.$/, '')}: ${Math.ceil(waitMs / 1000)} s to wait`)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

function nextUserId(userId: string) {
  const number = Number(userId.slice(1)) + 1
  return `U${String(number).padStart(6, '0')}`
}
