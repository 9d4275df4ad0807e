import type { z } from 'zod'
import type { AccountLink, UseLink } from '../../../shared/account-links.ts'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import type { Actor, Caller } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { type Tx, violatedUniqueConstraint } from '../../db/client.ts'
import { lockConsoleAccount, lockHost } from '../../db/lock-host.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { addressGroup } from '../../lib/address-group.ts'
import { sha256 } from '../../lib/secrets.ts'
import type { Site } from '../../lib/sites.ts'
import type { TokenBuckets } from '../../lib/token-bucket.ts'
import { isLinkAnsweredAt } from '../auth/account-links.ts'
import type { ConsoleAccount, Session } from '../auth/session-rows.ts'
import { mailSecurityChange } from '../mail/mail-security-change.ts'
import { voidSignInLinksOfHost } from '../phones/void-pending-sign-ins.ts'
import { removeSecondFactors } from '../second-factor/remove-second-factors.ts'
import { ACCOUNT_TABLES } from './accounts.ts'
import { refuseUnsuitablePassword } from './password-rules.ts'

const RESET = 'reset'

type FoundLink = NonNullable<Awaited<ReturnType<typeof findLink>>>

/** Leaves the link valid. A wrong one counts as a wrong password of its address. */
export async function lookAtLink(
  deps: Deps,
  by: Caller,
  token: string,
  { views, site }: { views: TokenBuckets; site: Site | null },
): Promise<AccountLink> {
  const { id, purpose, removes_second_factor, expires_at, names } = await requireLink(deps, by, token, site)
  views.take(`${addressGroup(by.ip)} ${id}`)
  return { purpose, account: names[0], removes_second_factor, expires_at: expires_at.toISOString() }
}

/** Sets the password and ends the account's console sessions. Signs nobody in, and phones stay signed in. */
export async function useLink(
  deps: Deps,
  by: Caller,
  { token, password }: z.output<typeof UseLink>,
  { uses, site }: { uses: TokenBuckets; site: Site | null },
): Promise<void> {
  const link = await requireLink(deps, by, token, site)
  uses.take(link.id)
  await refuseUnsuitablePassword({
    password,
    field: 'password',
    names: link.names,
    isCurrent: () =>
      deps.passwords.isRight(password, link.password_hash, { isKnownDevice: true, networks: ['account links'] }),
  })
  const password_hash = await deps.passwords.hashNew(password, link.id)
  const ended = await deps.db
    .transaction()
    .execute(async (tx) => {
      await lockAccount(tx, link)
      const isSpent = await tx
        .deleteFrom('account_links')
        .where('id', '=', link.id)
        .where('expires_at', '>', new Date(deps.now()))
        .returning('id')
        .executeTakeFirst()
      if (!isSpent) throw linkInvalid()
      if (link.account) return setPassword(deps, tx, by, { ...link, account: link.account }, password_hash)
      await addMaster(deps, tx, by, link, password_hash)
      return []
    })
    .catch((error: unknown) => {
      throw violatedUniqueConstraint(error) === 'masters_email_key' ? linkInvalid() : error
    })
  deps.sessions.forget(ended, RESET)
}

async function requireLink(deps: Deps, by: Caller, token: string, site: Site | null): Promise<FoundLink> {
  const { link } = await deps.loginThrottle.guessToken(by.ip, async () => {
    const found = await findLink(deps, token)
    const link = found && isLinkAnsweredAt(site, found.purpose) ? found : undefined
    return { link, isRight: link !== undefined }
  })
  if (!link) throw linkInvalid()
  return link
}

async function findLink(deps: Deps, token: string) {
  const row = await findRow(deps, token)
  return row && { ...row, ...accountOf(row) }
}

function findRow({ db, now }: Deps, token: string) {
  return db
    .selectFrom('account_links')
    .leftJoin('masters', 'masters.id', 'account_links.master_id')
    .leftJoin('assistants', 'assistants.id', 'account_links.assistant_id')
    .leftJoin('hosts', (join) =>
      join.on((eb) =>
        eb('hosts.id', '=', eb.fn.coalesce(eb.ref('account_links.host_id'), eb.ref('assistants.host_id'))),
      ),
    )
    .selectAll('account_links')
    .select(['masters.email as master_email', 'masters.password_hash as master_hash'])
    .select(['assistants.name', 'assistants.role', 'assistants.password_hash as assistant_hash'])
    .select(['hosts.id as owner_id', 'hosts.username', 'hosts.email as host_email', 'hosts.password_hash as host_hash'])
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', new Date(now()))
    .executeTakeFirst()
}

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>

/** Returns whose link it is, with the names that may not be the password: the first is used at sign-in. */
function accountOf(row: Row): {
  account: ConsoleAccount | null
  names: [string, ...string[]]
  password_hash: string | null
} {
  const { master_id, assistant_id, owner_id, role } = row
  if (assistant_id && role) {
    const names: [string, string] = [`${row.name}@${row.username}`, row.name ?? '']
    return { account: { role: 'assistant', id: assistant_id }, names, password_hash: row.assistant_hash }
  }
  if (owner_id) {
    const names: [string, string] = [row.username ?? '', row.host_email ?? '']
    return { account: { role: 'host', id: owner_id }, names, password_hash: row.host_hash }
  }
  if (master_id)
    return {
      account: { role: 'master', id: master_id },
      names: [row.master_email ?? ''],
      password_hash: row.master_hash,
    }
  return { account: null, names: [row.email ?? ''], password_hash: null }
}

/** Comes before the lock of the link, as in what voids links. */
async function lockAccount(tx: Tx, { account, owner_id }: FoundLink): Promise<void> {
  if (owner_id) await lockHost(tx, owner_id)
  else if (account?.role === 'master') await lockConsoleAccount(tx, { ...account, host_id: null })
}

/** Returns the sessions that it ended. */
async function setPassword(
  deps: Deps,
  tx: Tx,
  by: Caller,
  { owner_id, account, removes_second_factor, role: acts_as }: FoundLink & { account: ConsoleAccount },
  password_hash: string,
): Promise<Session[]> {
  const { role, id } = account
  await tx
    .updateTable(ACCOUNT_TABLES[role])
    .set({ password_hash, password_changed_at: new Date(deps.now()) })
    .where('id', '=', id)
    .execute()
  if (role === 'host') await voidSignInLinksOfHost(tx, id)
  const ended = await deps.sessions.endRows(tx, { of: account }, RESET)
  const actor: Actor = { ...by, role, id, host_id: owner_id, ...(acts_as && { acts_as }) }
  const after = { sessions_ended: ended.length }
  await audit(deps, tx, actor, { action: 'password_reset', target: id, after })
  await mailSecurityChange(deps, tx, account, { change: 'password_reset', ip: by.ip })
  if (removes_second_factor && (await removeSecondFactors(tx, account))) {
    await audit(deps, tx, actor, { action: 'second_factor_reset', target: id })
    await mailSecurityChange(deps, tx, account, { change: 'second_factor_reset', ip: by.ip })
  }
  return ended
}

async function addMaster(deps: Deps, tx: Tx, by: Caller, { email, full_name }: FoundLink, password_hash: string) {
  if (email === null) return
  const { id } = await tx
    .insertInto('masters')
    .values({
      email,
      email_key: normaliseForComparison(email),
      full_name,
      password_hash,
      created_at: new Date(deps.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(
    deps,
    tx,
    { ...by, role: 'master', id },
    { action: 'master_joined', target: id, after: { email, full_name } },
  )
}

function linkInvalid(): AppError {
  return new AppError('link_invalid', 'This link is not valid any more. Please ask for a new one.')
}
