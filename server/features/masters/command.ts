import { z } from 'zod'
import { normaliseForComparison } from '../../../shared/normalise.ts'
import { type Actor, SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import { lockConsoleAccount } from '../../db/lock-host.ts'
import { AppError } from '../../errors.ts'
import { type MadeAccountLink, makeAccountLink } from '../auth/account-links.ts'
import { inviteMaster } from './invitations.ts'
import { listMasters, type MastersDeps } from './list-masters.ts'
import { removeMaster } from './remove-master.ts'

const email = z.email()
export const MasterCommand = z.discriminatedUnion('action', [
  z.object({ action: z.literal('list') }),
  z.object({ action: z.literal('invite'), email }),
  z.object({ action: z.literal('reset'), email, removes_second_factor: z.boolean() }),
  z.object({ action: z.literal('remove'), email }),
])
export type MasterCommand = z.infer<typeof MasterCommand>

/** Runs `npm run master`, and returns what it prints. */
export async function masterCommand(deps: MastersDeps, command: MasterCommand): Promise<string[]> {
  if (command.action === 'list') return (await listMasters(deps, null)).map(lineOf)
  const by: Actor = { ...SYSTEM, command: `master ${command.action}` }
  if (command.action === 'invite') {
    const { invitation, url } = await inviteMaster(deps, by, { email: command.email, full_name: null }).catch(
      refusal('Not invited: '),
    )
    return [`Invitation for ${invitation.email}, valid until ${shown(invitation.expires_at)}:`, url]
  }
  const master = await findMaster(deps, command.email)
  if (command.action === 'remove') {
    await removeMaster(deps, by, master.id).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      throw error.code === 'last_master'
        ? new AppError(error.code, `Not removed: ${master.email} is the last master.`)
        : noMaster(command.email) // another one has removed it
    })
    return [`Removed ${master.email}.`]
  }
  const { url, expires_at } = await resetMaster(deps, by, master, command.removes_second_factor)
  return [`Reset link for ${master.email}, valid until ${shown(expires_at.toISOString())}:`, url]
}

async function findMaster({ db }: MastersDeps, email: string): Promise<{ id: string; email: string }> {
  const master = await db
    .selectFrom('masters')
    .select(['id', 'email'])
    .where('email_key', '=', normaliseForComparison(email))
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!master) throw noMaster(email)
  return master
}

/** Ends all sessions of the master at once. The present password works until the link is used. */
async function resetMaster(
  deps: MastersDeps,
  by: Actor,
  { id, email }: { id: string; email: string },
  removes_second_factor: boolean,
): Promise<MadeAccountLink> {
  const { link, ended } = await deps.db.transaction().execute(async (tx) => {
    const isThere = await lockConsoleAccount(tx, { role: 'master', id, host_id: null })
    if (!isThere) throw noMaster(email)
    const purpose = 'master_reset' as const
    const link = await makeAccountLink(deps, tx, by, { purpose, account: { master_id: id }, removes_second_factor })
    const after = { expires_at: link.expires_at, removes_second_factor }
    await audit(deps, tx, by, { action: 'reset_link_made', target: id, after })
    return { link, ended: await deps.sessions.endRows(tx, { of: { role: 'master', id } }, 'reset') }
  })
  deps.sessions.forget(ended, 'reset')
  return link
}

const noMaster = (email: string) => new AppError('not_found', `There is no master ${email}.`)

const refusal = (words: string) => (error: unknown) => {
  if (!(error instanceof AppError)) throw error
  throw new AppError(error.code, `${words}${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`)
}

function lineOf(master: Awaited<ReturnType<typeof listMasters>>[number]): string {
  const factor = master.has_second_factor ? 'second factor' : 'no second factor'
  const active = master.last_active_at
    ? `last active ${shown(master.last_active_at)}`
    : 'not active in the last 30 days'
  return [master.email, master.full_name ?? 'no name', factor, active].join(', ')
}

const shown = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`
