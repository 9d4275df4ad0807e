import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { OAuthUrlQuery } from '../../../shared/oauth.ts'
import type { MasterActor } from '../../db/actor.ts'
import type { Deps } from '../../deps.ts'
import { invalidField, notFound } from '../../errors.ts'
import { randomToken, sha256 } from '../../lib/secrets.ts'
import { siteOrigins } from '../../lib/sites.ts'
import { isUuid } from '../../lib/uuid.ts'
import { requirePresentMaster } from '../auth/masters.ts'

const STATE_MS = 10 * 60_000

export interface OAuthAttempt {
  master_id: string
  email: string
  host_id: string | null
  return_url: string
  verifier: string
  result_id: string
}

const verifierAad = (stateHash: string) => `oauth_states.verifier:${stateHash}`

/** Derives the id from the state, so that the page that began the attempt knows it. */
const resultIdOf = (state: string) => sha256(`result of ${state}`)

export async function beginOAuth(
  deps: Deps,
  by: MasterActor,
  { email, return_url, host_id }: z.output<typeof OAuthUrlQuery>,
): Promise<{ auth_url: string; oauth_result_id: string }> {
  const back = ownAddress(deps, return_url)
  if (!back) throw invalidField('return_url', 'The return address must be a page of this site.')
  if (host_id) await requireHost(deps, host_id)

  const state = randomToken()
  const verifier = randomToken(48)
  const state_hash = sha256(state)
  const now = deps.now()
  await deps.db.deleteFrom('oauth_states').where('expires_at', '<', new Date(now)).execute()
  await deps.db.transaction().execute(async (tx) => {
    await requirePresentMaster(tx, by.id)
    await tx
      .insertInto('oauth_states')
      .values({
        state_hash,
        master_id: by.id,
        email,
        host_id: host_id || null,
        return_url: back.href,
        verifier_ciphertext: deps.secrets.encrypt(verifier, verifierAad(state_hash)),
        expires_at: new Date(now + STATE_MS),
      })
      .execute()
  })
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { auth_url: deps.zoom.oauth.authorizeUrl(state, challenge), oauth_result_id: resultIdOf(state) }
}

/** Returns an attempt once; null for a state that is unknown, used or expired. */
export async function takeState(deps: Deps, state: string): Promise<OAuthAttempt | null> {
  const state_hash = sha256(state)
  const found = await deps.db
    .deleteFrom('oauth_states')
    .where('state_hash', '=', state_hash)
    .returningAll()
    .executeTakeFirst()
  if (!found || found.expires_at.getTime() <= deps.now()) return null
  const { master_id, email, host_id, return_url, verifier_ciphertext } = found
  const verifier = deps.secrets.decrypt(verifier_ciphertext, verifierAad(state_hash))
  return { master_id, email, host_id, return_url, verifier, result_id: resultIdOf(state) }
}

/** Returns null unless the URL is plainly on a site with a console: another one could leak the result. */
function ownAddress({ config }: Pick<Deps, 'config'>, address: string): URL | null {
  if (!/^https?:\/\/[\w.:[\]-]+(\/[^\s\\@]*|\?[^\s\\@]*)?$/i.test(address)) return null
  if (/%[01][0-9a-f]/i.test(address)) return null // encoded control characters
  const url = URL.parse(address)
  const { public: site, host, master } = siteOrigins(config)
  return url && [site, host, master].includes(url.origin) ? url : null
}

async function requireHost({ db }: Deps, host_id: string): Promise<void> {
  const host = isUuid(host_id)
    ? await db
        .selectFrom('hosts')
        .select('id')
        .where('id', '=', host_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined
  if (!host) throw notFound('Host')
}
