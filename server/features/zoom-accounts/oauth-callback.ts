import { isSameEmail } from '../../../shared/normalise.ts'
import type { OAuthErrorCode, OAuthStatus } from '../../../shared/oauth.ts'
import type { Actor, Caller } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { siteOrigins } from '../../lib/sites.ts'
import { readUser, readUserSettings } from '../../zoom/calls.ts'
import { type Deadline, deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import type { TokenPair } from '../../zoom/oauth.ts'
import type { ZoomUser } from '../../zoom/schemas.ts'
import { lockPresentMaster } from '../auth/masters.ts'
import { connectRoom } from '../rooms/room-meeting.ts'
import { accountWarnings } from './account-warnings.ts'
import { storeResult } from './oauth-results.ts'
import { type OAuthAttempt, takeState } from './oauth-states.ts'
import { alreadyConnected, findLinkedHost, linkHost, replaceTokens, revokeGrant } from './zoom-links.ts'

export interface CallbackQuery {
  code?: string | undefined
  state?: string | undefined
  error?: string | undefined
}

class OAuthFailure extends Error {
  readonly error: OAuthErrorCode
  readonly more: Record<string, string>

  constructor(error: OAuthErrorCode, message: string, more: Record<string, string> = {}) {
    super(message)
    this.error = error
    this.more = more
  }
}

/** The usual reason: Zoom accepts an app in other accounts only after it has been shared or reviewed. */
const NO_CODE =
  'Zoom sent no authorization code. A Zoom app that is neither shared nor published serves only the account that it was made in.'

/** Returns the URL to which to redirect the browser. */
export async function finishOAuth(deps: Deps, caller: Caller, { code, state, error }: CallbackQuery): Promise<string> {
  const attempt = state ? await deps.strangers.run(caller.ip, () => takeState(deps, state)) : null
  // Installations from Zoom's marketplace have no state either.
  if (!attempt) return withQuery(`${siteOrigins(deps.config).public}/oauth-error`, { error: 'invalid_request' })
  const by: Actor = { ...caller, role: 'master', id: attempt.master_id }
  try {
    if (!code && error === 'access_denied') throw new OAuthFailure('access_denied', 'Zoom access was denied.')
    if (!code) throw new OAuthFailure('invalid_request', NO_CODE)
    return await connect(deps, attempt, code, by)
  } catch (failure) {
    const known = failure instanceof OAuthFailure ? failure : serverError()
    if (known !== failure) deps.log.error({ err: failure }, 'zoom.connect_failed')
    const { host_id } = attempt
    const after = { error: known.error }
    await audit(deps, deps.db, by, { host_id, action: 'zoom_connect_failed', target: host_id, after })
    return failureAddress(attempt, known)
  }
}

/** Two windows may connect one Zoom user concurrently: the second fails when it stores the link. */
function asOAuthFailure(error: unknown): never {
  throw error instanceof AppError ? new OAuthFailure('already_connected', error.message) : error
}

function serverError(): OAuthFailure {
  return new OAuthFailure('server_error', 'Zoom could not be reached. Please try again later.')
}

async function connect(deps: Deps, attempt: OAuthAttempt, code: string, by: Actor): Promise<string> {
  const deadline = deadlineIn(ZOOM_TIMEOUT_MS)
  const pair = await deps.zoom.oauth.exchange(code, attempt.verifier, deadline)
  const user = await deps.zoom.callWith(pair.access_token, readUser, deadline)
  await requireRequestedUser(deps, attempt, pair, user, deadline)

  const settings = await deps.zoom.callWith(pair.access_token, readUserSettings, deadline).catch(() => null)
  const account = {
    ...pair,
    zoom_user_id: user.id,
    zoom_account_id: user.account_id,
    email: user.email,
    display_name: user.display_name || [user.first_name, user.last_name].filter(Boolean).join(' ') || null,
    pmi: user.pmi ?? null,
    warnings: accountWarnings(user, settings),
  }
  const { host_id, result_id: id } = attempt
  const { gone, replaced } = await deps.db.transaction().execute(async (tx) => {
    // A deletion that runs meanwhile waits for this lock, and then revokes the grant.
    const host = host_id ? await lockHost(tx, host_id) : null
    if (host_id && (!host || host.deleted_at)) return { gone: 'This host has been deleted', replaced: null }
    if (!(await lockPresentMaster(tx, attempt.master_id)))
      return { gone: 'Your account has been removed', replaced: null }
    await storeResult(deps, tx, attempt, account)
    if (!host_id) return { gone: null, replaced: null }
    const link = { ...account, linked_host_id: null }
    return { gone: null, replaced: await linkHost(deps, tx, host_id, link, by).catch(asOAuthFailure) }
  })
  if (gone) {
    await revokeUnused(deps, pair, deadline)
    throw new OAuthFailure('invalid_request', `${gone} in the meantime.`)
  }
  const { zoom_account_id } = account
  deps.log.info({ host_id, zoom_account_id }, 'zoom.connected') // Zoom displays the account's id nowhere
  if (replaced) await revokeGrant(deps, replaced)
  if (host_id) await connectRoom(deps, host_id)

  const status: OAuthStatus = host_id ? 'integrated' : 'success'
  const result = { oauth_result: id, user_email: user.email }
  if (isPopup(attempt))
    return withQuery(attempt.return_url, { ...result, status, ...(host_id && { host_id }), popup: 'true' })
  return withQuery(attempt.return_url, {
    ...result,
    oauth_result_id: id,
    oauth_status: status,
    ...(host_id ? { host_id } : { modal: 'add-host' }),
  })
}

/** Requires the requested e-mail, and a Zoom user that serves no other host. */
async function requireRequestedUser(
  deps: Deps,
  { email, host_id }: OAuthAttempt,
  pair: TokenPair,
  user: ZoomUser,
  deadline: Deadline,
): Promise<void> {
  const holder = await findLinkedHost(deps.db, user.account_id, user.id)
  const isOtherEmail = !isSameEmail(user.email, email)
  if (holder && (isOtherEmail || holder.id !== host_id)) await replaceTokens(deps, holder.id, pair)
  if (isOtherEmail) {
    if (!holder) await revokeUnused(deps, pair, deadline)
    throw new OAuthFailure('email_mismatch', `Expected ${email}, but got ${user.email} from Zoom.`, {
      expected_email: email,
      actual_email: user.email,
    })
  }
  if (holder && holder.id !== host_id)
    throw new OAuthFailure('already_connected', alreadyConnected(user.email, holder.username))
}

async function revokeUnused({ zoom }: Deps, { access_token }: TokenPair, deadline: Deadline): Promise<void> {
  await zoom.oauth.revoke(access_token, deadline).catch(() => {})
}

function failureAddress(attempt: OAuthAttempt, { error, message, more }: OAuthFailure): string {
  const query = { error, error_description: message, ...more }
  if (!isPopup(attempt)) return withQuery(attempt.return_url, { oauth_status: 'error', ...query })
  return withQuery(`${new URL(attempt.return_url).origin}/oauth-error`, { ...query, popup: 'true' })
}

function isPopup({ return_url }: OAuthAttempt): boolean {
  return new URL(return_url).pathname.replace(/\/+$/, '') === '/oauth-success'
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  url.hash = ''
  return url.href
}
