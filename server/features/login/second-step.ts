import type { AssistantRole, SecondFactorLogin, SessionUser } from '../../../shared/auth.ts'
import type { Caller } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Tx } from '../../db/client.ts'
import { lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import type { AppError } from '../../errors.ts'
import { siteOf } from '../../lib/sites.ts'
import { assistantUser, findAssistant } from '../assistants/find-assistant.ts'
import { removeFirstMaster } from '../auth/first-master-file.ts'
import { findMaster } from '../auth/masters.ts'
import { type ConsoleAccount, insertSession, TOO_MANY_SESSIONS_END } from '../auth/session-rows.ts'
import { findHost } from '../hosts/hosts.ts'
import { mailSecurityChange } from '../mail/mail-security-change.ts'
import { challengeExpired, findChallenge, type SignInChallenge } from '../second-factor/challenges.ts'
import type { FactorAccount } from '../second-factor/factor-owner.ts'
import { countRecoveryCodes } from '../second-factor/factors.ts'
import { checkProof, type Proof, wrongFactor } from '../second-factor/proofs.ts'
import { beginTry, takeBackTry } from '../second-factor/tries.ts'
import { openAssistantSession } from './assistant-login.ts'
import { subscriptionCancelled } from './refusals.ts'

interface SignedIn {
  token: string
  user: SessionUser
  recovery_codes_left?: number
}

/** Signs in whoever has passed the password before and shows a second factor now. */
export async function completeSignIn(
  deps: Deps,
  by: Caller,
  shown: SecondFactorLogin,
  rpId: string,
): Promise<SignedIn> {
  const { challenge } = await deps.loginThrottle.guessToken(by.ip, async () => {
    const found = await findChallenge(deps, shown.challenge)
    return { challenge: found, isRight: found !== undefined }
  })
  if (!challenge || challenge.expires_at.getTime() <= deps.now()) throw challengeExpired()
  // A proxy that guards the master site guards the second step too.
  if (siteOf(deps.config, challenge.rp_id) !== siteOf(deps.config, rpId)) throw challengeExpired()
  const named = accountOf(challenge)
  const owner = await findOwner(deps, named)
  if (!owner) throw challengeExpired()
  const account = { ...named, host_id: owner.host_id }

  const isCode = shown.passkey === undefined
  const { proof, tried } = await deps.loginThrottle.guessSecondFactor(owner.throttleName, by.ip, async (turn) => {
    const tried = await beginTry(deps, { account, tokenHash: challenge.token_hash, isCode })
    try {
      const proof = await checkProof(deps, { account, challenge }, shown, turn)
      return { proof, tried, isRight: proof !== null }
    } catch (error) {
      await takeBackTry(deps, challenge.token_hash, tried)
      throw error
    }
  })
  if (!proof) throw await refused()

  const step = { account, challenge, proof, failureId: tried.failureId }
  const signedIn = await openSession(deps, by, step).catch(async (error: unknown) => {
    await takeBackTry(deps, challenge.token_hash, tried)
    throw error
  })
  if (!signedIn) throw await refused()
  await deps.loginThrottle.remember(owner.throttleName, by.ip)
  return signedIn

  async function refused(): Promise<AppError> {
    const { id: target, host_id } = account
    await deps.refusedCalls.audit(by, { account: target, host_id, action: 'second_factor_failed', target })
    return wrongFactor(tried.triesLeft, isCode)
  }
}

function accountOf({ master_id, host_id, assistant_id }: SignInChallenge): ConsoleAccount {
  if (master_id) return { role: 'master', id: master_id }
  if (assistant_id) return { role: 'assistant', id: assistant_id }
  if (host_id) return { role: 'host', id: host_id }
  throw challengeExpired()
}

interface Owner {
  /** The name under which the account's devices are known. */
  throttleName: string
  host_id: string | null
}

async function findOwner({ db }: Deps, { role, id }: ConsoleAccount): Promise<Owner | undefined> {
  if (role === 'assistant') {
    const row = await db
      .selectFrom('assistants')
      .innerJoin('hosts', 'hosts.id', 'assistants.host_id')
      .select(['name_key', 'username_key', 'host_id'])
      .where('assistants.id', '=', id)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    return row && { throttleName: `host ${row.name_key}@${row.username_key}`, host_id: row.host_id }
  }
  const owner =
    role === 'host'
      ? await db.selectFrom('hosts').select('username_key as key').where('id', '=', id).executeTakeFirst()
      : await db.selectFrom('masters').select('email_key as key').where('id', '=', id).executeTakeFirst()
  return owner && { throttleName: `${role} ${owner.key}`, host_id: role === 'host' ? id : null }
}

interface SecondStep {
  account: FactorAccount
  challenge: SignInChallenge
  proof: Proof
  failureId: string | null
}

/** Uses challenge and factor up, and opens the session. Returns null if the factor was used meanwhile. */
async function openSession(
  deps: Deps,
  by: Caller,
  { account, challenge, proof, failureId }: SecondStep,
): Promise<SignedIn | null> {
  const { db, sessions, now } = deps
  const { role, id, host_id } = account
  const opened = await db.transaction().execute(async (tx) => {
    const acts_as = await requireUnchanged(tx, account, challenge)
    const actor = { ...by, ...account, ...(acts_as && { acts_as }) }
    const spent = tx.deleteFrom('sign_in_challenges').where('token_hash', '=', challenge.token_hash)
    if (!(await spent.returning('token_hash').executeTakeFirst())) throw challengeExpired()
    if (!(await proof.spend(tx))) return null
    if (failureId !== null) await tx.deleteFrom('second_factor_failures').where('id', '=', failureId).execute()
    if (role === 'host')
      await tx
        .updateTable('hosts')
        .set({ login_time: new Date(now()), last_login_ip: by.ip })
        .where('id', '=', id)
        .execute()
    const after = { second_factor: proof.method }
    await audit(deps, tx, actor, { action: `${role}_login`, target: id, after })
    if (proof.method === 'recovery_code') {
      await audit(deps, tx, actor, { action: 'recovery_code_used', target: id })
      await mailSecurityChange(deps, tx, account, { change: 'recovery_code_used', ip: by.ip })
    }
    if (acts_as && host_id) {
      const step = { id, role: acts_as, host_id, second_factor_at: now() }
      return {
        ...(await openAssistantSession(deps, tx, by, step)),
        codesLeft: await countRecoveryCodes(tx, account),
      }
    }
    const { row, sign } = sessions.prepare(
      {
        role: role === 'master' ? 'master' : 'host',
        master_id: role === 'master' ? id : null,
        host_id,
        room_user_id: null,
        user_agent: by.user_agent,
        second_factor_at: now(),
      },
      by.ip,
    )
    const sid = await insertSession(tx, row)
    const ended = await sessions.endRows(tx, { longest_unused_beside: sid, of: account }, TOO_MANY_SESSIONS_END)
    return { token: await sign(sid), ended, codesLeft: await countRecoveryCodes(tx, account) }
  })
  if (!opened) return null
  sessions.forget(opened.ended, TOO_MANY_SESSIONS_END)
  if (role === 'master') await removeFirstMaster(deps.config)
  return {
    token: opened.token,
    user: await findUser(deps, account),
    ...(proof.method === 'recovery_code' && { recovery_codes_left: opened.codesLeft }),
  }
}

function findUser(deps: Deps, { role, id }: FactorAccount): Promise<SessionUser> {
  if (role === 'master') return findMaster(deps, id)
  return role === 'host' ? findHost(deps, id) : findAssistant(deps.db, id).then(assistantUser)
}

/**
 * Locks the account, and refuses it if the first step would not let it in any more. Returns the rights of an assistant.
 */
async function requireUnchanged(
  tx: Tx,
  { role, id, host_id }: FactorAccount,
  { password_hash }: SignInChallenge,
): Promise<AssistantRole | null> {
  if (role === 'master') {
    const master = tx
      .selectFrom('masters')
      .select('password_hash')
      .where('id', '=', id)
      .where('removed_at', 'is', null)
      .forNoKeyUpdate()
    if ((await master.executeTakeFirst())?.password_hash !== password_hash) throw challengeExpired()
    return null
  }
  const host = await lockHost(tx, host_id ?? id)
  const assistant =
    role === 'assistant'
      ? await tx
          .selectFrom('assistants')
          .select(['password_hash', 'role'])
          .where('id', '=', id)
          .where('removed_at', 'is', null)
          .executeTakeFirst()
      : null
  const account = role === 'assistant' ? assistant : host
  if (!host || host.deleted_at || account?.password_hash !== password_hash) throw challengeExpired()
  if (host.subscription_cancelled_at) throw subscriptionCancelled()
  return assistant?.role ?? null
}
