import { INVISIBLE_PATTERN, normaliseForComparison, visibleForm } from '../../../shared/normalise.ts'
import { type Db, type Tx, violatedUniqueConstraint } from '../../db/client.ts'
import { AppError } from '../../errors.ts'
import { requireNoAssistantsName } from '../assistants/sign-in-names.ts'

/** Converts a unique violation into an error of the form's field. */
export function nameTaken(error: unknown, fields: Record<string, { path: string; msg: string }>): unknown {
  const constraint = violatedUniqueConstraint(error)
  const field = constraint === null ? undefined : fields[constraint]
  return field ? new AppError('conflict', field.msg, { errors: [field], cause: error }) : error
}

export const HOST_NAMES = {
  hosts_username_key: { path: 'username', msg: 'This username is already taken' },
  hosts_email_key: { path: 'email', msg: 'This email is already in use' },
}

/**
 * Reports every name that is taken or resembles a taken one, unless the host had it before. The unique constraints,
 * which guard against races, report only the first, and a failed insert uses up a number of the hosts' sequence.
 */
export async function requireFreeNames(
  db: Db | Tx,
  names: { username?: string | undefined; email?: string | undefined },
  ownId?: string,
): Promise<void> {
  const username = normaliseForComparison(names.username ?? '')
  const email = normaliseForComparison(names.email ?? '')
  const holders = await db
    .selectFrom('hosts')
    .select(['id', 'username_key', 'email_key'])
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('username_key', 'in', [username, visibleForm(username)]),
        eb('username_key', '~', INVISIBLE_PATTERN),
        eb('email_key', '=', email),
      ]),
    )
    .execute()
  const others = holders.filter(({ id }) => id !== ownId)
  const isKept = holders.some(({ id, username_key }) => id === ownId && username_key === username)
  const errors = [
    ...(!isKept && others.some(({ username_key }) => visibleForm(username_key) === visibleForm(username))
      ? [HOST_NAMES.hosts_username_key]
      : []),
    ...(others.some(({ email_key }) => email_key === email) ? [HOST_NAMES.hosts_email_key] : []),
  ]
  const [first] = errors
  if (first) throw new AppError('conflict', first.msg, { errors })
  if (names.username !== undefined && !isKept) await requireNoAssistantsName(db, names.username, ownId)
}
