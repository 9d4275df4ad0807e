import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Selectable, sql, type Updateable } from 'kysely'
import { audit, BY_SYSTEM } from '../db/audit-log.ts'
import type { Db } from '../db/client.ts'
import { Leases } from '../db/leases.ts'
import type { Tables } from '../db/tables.ts'
import { AppError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets.ts'
import { SingleFlight } from '../lib/single-flight.ts'
import { type Deadline, within } from './deadline.ts'
import { isFault, RECONNECT, ZoomError } from './errors.ts'
import type { TokenPair, ZoomOAuth } from './oauth.ts'
import type { Plan } from './rate-queue.ts'

/** An access token is renewed this long before it runs out. */
const AHEAD_MS = 5 * 60_000
const REFRESH_MS = 8_000
const LOOK_EVERY_MS = 100
/** The warning by which an account's plan is known after its consent. */
const BASIC_PLAN = 'basic_plan'

/** Where each token is kept: part of its encryption, so that no other row or field can pass for it. */
export const linkAad = (hostId: string, field: 'access_token' | 'refresh_token') => `zoom_links.${field}:${hostId}`

const refreshLeases = new Leases({
  table: 'zoom_links',
  key: 'host_id',
  lease: 'refresh_lease',
  until: 'refresh_lease_until',
  seconds: 20,
})

export interface HostTokens {
  /** An access token of the host; another one than `refused`, where Zoom has refused that. */
  of(hostId: string, refused?: string): Promise<string>
  /** The Zoom account that the host's Zoom user belongs to, with others perhaps, and its plan as far as that is known. */
  accountOf(hostId: string): Promise<{ accountId: string; plan: Plan }>
}

interface Needs {
  db: Db
  secrets: Secrets
  now: Clock
  log: FastifyBaseLogger
  oauth: ZoomOAuth
}

type Link = Selectable<Tables['zoom_links']>

/**
 * Keeps the hosts' tokens alive. Zoom hands out a new refresh token with every refresh and takes the old one no more, so
 * one refresh runs at a time: in this process by sharing it, among processes by a lease on the row. A lease, not a
 * transaction that waits for Zoom: that would hold a connection, which is the only one of the embedded database.
 */
export function createHostTokens({ db, secrets, now, log, oauth }: Needs): HostTokens {
  const flights = new SingleFlight<string>()

  async function linkOf(hostId: string): Promise<Link> {
    const link = await db.selectFrom('zoom_links').selectAll().where('host_id', '=', hostId).executeTakeFirst()
    if (!link) throw new AppError('room_not_connected', 'Zoom is not connected for this room.')
    if (link.reconnect_needed) throw new AppError('zoom_reconnect', RECONNECT)
    return link
  }

  function reveal(link: Link, field: 'access_token' | 'refresh_token'): string {
    try {
      return secrets.decrypt(link[`${field}_ciphertext`], linkAad(link.host_id, field))
    } catch (cause) {
      log.error({ host_id: link.host_id }, 'A Zoom token cannot be decrypted: was SECRET_KEY changed?')
      throw new AppError('zoom_reconnect', RECONNECT, { cause })
    }
  }

  const lastsFor = (link: Link, ms: number) => link.access_expires_at.getTime() - now() > ms

  async function renew(hostId: string, refused: string | undefined): Promise<string> {
    const deadline = within(REFRESH_MS)
    let first: string | null = null
    for (;;) {
      const link = await linkOf(hostId)
      first ??= link.refresh_token_ciphertext
      const isRenewed = link.refresh_token_ciphertext !== first // by another process, while we waited
      const token = reveal(link, 'access_token')
      if (token !== refused && (isRenewed || lastsFor(link, AHEAD_MS))) return token

      const leased = await takeLease(link)
      if (leased) return refresh(leased, refused, deadline)
      await pause(LOOK_EVERY_MS, undefined, { signal: deadline.signal }).catch((cause: unknown) => {
        throw new ZoomError('unavailable', 'Another process has not finished refreshing', { cause })
      })
    }
  }

  /** Undefined while another process refreshes, or where one has done so since the row was read. */
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
      pair = await oauth.refresh(reveal(link, 'refresh_token'), deadline)
    } catch (error) {
      const isDead = isFault(error, 'grant')
      await release(isDead ? { reconnect_needed: true } : {})
      if (isDead) {
        log.warn({ host_id }, 'Zoom refuses to refresh: the host has to be reconnected')
        await audit({ now }, db, { ...BY_SYSTEM, host_id, action: 'zoom_reconnect_needed', target: host_id })
        throw new AppError('zoom_reconnect', RECONNECT, { cause: error })
      }
      const token = reveal(link, 'access_token')
      if (token !== refused && lastsFor(link, 0)) return token // still good for a while: Zoom may recover by then
      throw error
    }
    const stored = await release(sealPair(secrets, host_id, pair)) // before it is used: the old pair is dead now
    if (!stored) throw new AppError('zoom_reconnect', RECONNECT) // disconnected, or connected anew, meanwhile
    return pair.access_token
  }

  return {
    async accountOf(hostId) {
      const { zoom_account_id: accountId, warnings } = await linkOf(hostId)
      return { accountId, plan: warnings.some(({ code }) => code === BASIC_PLAN) ? 'basic' : 'licensed' }
    },

    async of(hostId, refused) {
      const link = await linkOf(hostId)
      const token = reveal(link, 'access_token')
      if (token !== refused && lastsFor(link, AHEAD_MS)) return token
      const renewed = await flights.run(hostId, () => renew(hostId, refused))
      // A flight that had begun before the refusal may bring the refused token itself.
      return renewed === refused ? flights.run(hostId, () => renew(hostId, refused)) : renewed
    },
  }
}

/** A pair as the columns of a host's link. */
export function sealPair(secrets: Secrets, hostId: string, pair: TokenPair) {
  return {
    access_token_ciphertext: secrets.encrypt(pair.access_token, linkAad(hostId, 'access_token')),
    refresh_token_ciphertext: secrets.encrypt(pair.refresh_token, linkAad(hostId, 'refresh_token')),
    access_expires_at: pair.access_expires_at,
    ...(pair.scopes && { scopes: pair.scopes }),
  }
}
