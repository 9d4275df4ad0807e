import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Selectable, sql, type Updateable } from 'kysely'
import { SYSTEM } from '../db/actor.ts'
import { audit } from '../db/audit-log.ts'
import type { Db } from '../db/client.ts'
import { Leases } from '../db/leases.ts'
import type { Tables } from '../db/tables.ts'
import { AppError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets.ts'
import { SingleFlight } from '../lib/single-flight.ts'
import { type Deadline, deadlineIn } from './deadline.ts'
import { isFault, RECONNECT_MESSAGE, ZoomError } from './errors.ts'
import type { TokenPair, ZoomOAuth } from './oauth.ts'
import type { ZoomPlan } from './rate-queue.ts'

/** Milliseconds before its expiry at which an access token is refreshed. */
const EARLY_MS = 5 * 60_000
const REFRESH_TIMEOUT_MS = 8_000
const POLL_INTERVAL_MS = 100
/** The code of the warning that marks an account on the Basic plan. */
const BASIC_PLAN = 'basic_plan'

/** Binds each token's ciphertext to its row and field, so that it cannot pass for another one's. */
export const linkAad = (hostId: string, field: 'access_token' | 'refresh_token') => `zoom_links.${field}:${hostId}`

const refreshLeases = new Leases({
  table: 'zoom_links',
  key: 'host_id',
  lease: 'refresh_lease',
  until: 'refresh_lease_until',
  seconds: 20,
})

export interface HostTokens {
  /** `refused` is a token that Zoom has rejected. */
  accessToken(hostId: string, refused?: string): Promise<string>
  accountOf(hostId: string): Promise<{ accountId: string; plan: ZoomPlan }>
}

interface Options {
  db: Db
  secrets: Secrets
  now: Clock
  log: FastifyBaseLogger
  oauth: ZoomOAuth
}

type Link = Selectable<Tables['zoom_links']>

/**
 * Zoom issues a new refresh token with every refresh and refuses the old one, so one refresh runs at a time: shared
 * within the process, and under a lease on the row between processes. A transaction that waits for Zoom would hold the
 * only connection of the embedded database.
 */
export function createHostTokens({ db, secrets, now, log, oauth }: Options): HostTokens {
  const flights = new SingleFlight<string>()

  async function findLink(hostId: string): Promise<Link> {
    const link = await db.selectFrom('zoom_links').selectAll().where('host_id', '=', hostId).executeTakeFirst()
    if (!link) throw new AppError('room_not_connected', 'Zoom is not connected for this room.')
    if (link.reconnect_needed) throw new AppError('zoom_reconnect', RECONNECT_MESSAGE)
    return link
  }

  function decryptToken(link: Link, field: 'access_token' | 'refresh_token'): string {
    try {
      return secrets.decrypt(link[`${field}_ciphertext`], linkAad(link.host_id, field))
    } catch (cause) {
      log.error({ host_id: link.host_id, hint: 'was SECRET_KEY changed?' }, 'zoom.token_not_decrypted')
      throw new AppError('zoom_reconnect', RECONNECT_MESSAGE, { cause })
    }
  }

  const isValidFor = (link: Link, ms: number) => link.access_expires_at.getTime() - now() > ms

  async function renew(hostId: string, refused: string | undefined): Promise<string> {
    const deadline = deadlineIn(REFRESH_TIMEOUT_MS)
    let first: string | null = null
    for (;;) {
      const link = await findLink(hostId)
      first ??= link.refresh_token_ciphertext
      const isRenewed = link.refresh_token_ciphertext !== first // by another process
      const token = decryptToken(link, 'access_token')
      if (token !== refused && (isRenewed || isValidFor(link, EARLY_MS))) return token

      const leased = await takeLease(link)
      if (leased) return refresh(leased, refused, deadline)
      await pause(POLL_INTERVAL_MS, undefined, { signal: deadline.signal }).catch((cause: unknown) => {
        throw new ZoomError('unavailable', 'Another process has not finished refreshing', { cause })
      })
    }
  }

  /** Returns undefined while another process refreshes, or if one has done so since the row was read. */
  function takeLease({ host_id, refresh_token_ciphertext }: Link): Promise<Link | undefined> {
    const unchanged = sql`
      select host_id from zoom_links
      where host_id = ${host_id} and refresh_token_ciphertext = ${refresh_token_ciphertext} and ${refreshLeases.isFree}`
    return refreshLeases.take(db, unchanged)
  }

  async function refresh(link: Link, refused: string | undefined, deadline: Deadline): Promise<string> {
    const { host_id } = link
    const release = (set: Updateable<Tables['zoom_links']>) =>
      refreshLeases.release(db, link, { ...set, updated_at: new Date(now()) })

    let pair: TokenPair
    try {
      pair = await oauth.refresh(decryptToken(link, 'refresh_token'), deadline)
    } catch (error) {
      const isDead = isFault(error, 'grant')
      await release(isDead ? { reconnect_needed: true } : {})
      if (isDead) {
        log.warn({ host_id }, 'zoom.reconnect_needed')
        await audit({ now }, db, SYSTEM, { host_id, action: 'zoom_reconnect_needed', target: host_id })
        throw new AppError('zoom_reconnect', RECONNECT_MESSAGE, { cause: error })
      }
      const token = decryptToken(link, 'access_token')
      if (token !== refused && isValidFor(link, 0)) return token // still valid for a while: Zoom may recover
      throw error
    }
    const stored = await release(encryptTokens(secrets, host_id, pair)) // stored before use: the old pair is dead
    if (!stored) throw new AppError('zoom_reconnect', RECONNECT_MESSAGE) // disconnected or reconnected meanwhile
    return pair.access_token
  }

  return {
    async accountOf(hostId) {
      const { zoom_account_id: accountId, warnings } = await findLink(hostId)
      return { accountId, plan: warnings.some(({ code }) => code === BASIC_PLAN) ? 'basic' : 'licensed' }
    },

    async accessToken(hostId, refused) {
      const link = await findLink(hostId)
      const token = decryptToken(link, 'access_token')
      if (token !== refused && isValidFor(link, EARLY_MS)) return token
      const renewed = await flights.run(hostId, () => renew(hostId, refused))
      // A shared refresh that began before the refusal may return the refused token.
      return renewed === refused ? flights.run(hostId, () => renew(hostId, refused)) : renewed
    },
  }
}

export function encryptTokens(secrets: Secrets, hostId: string, pair: TokenPair) {
  return {
    access_token_ciphertext: secrets.encrypt(pair.access_token, linkAad(hostId, 'access_token')),
    refresh_token_ciphertext: secrets.encrypt(pair.refresh_token, linkAad(hostId, 'refresh_token')),
    access_expires_at: pair.access_expires_at,
    ...(pair.scopes && { scopes: pair.scopes }),
  }
}
