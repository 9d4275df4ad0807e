import { Readable } from 'node:stream'
import { AUDIT_KINDS } from '../../../shared/audit.ts'
import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import type { ReadFilePage } from '../auth/file-pages.ts'

const ROWS_AT_ONCE = 500
/** Acts whose states are of the account alone. Those of other acts may be of users of the room. */
const OF_ACCOUNT: readonly string[] = [...AUDIT_KINDS.account, ...AUDIT_KINDS.sign_ins]

type HostAccount = Awaited<ReturnType<typeof findHostAccount>>

/** Leaves out the password, and what identifies the host's phone to the server. */
export async function findHostAccount(db: Db, id: string) {
  const account = await db
    .selectFrom('hosts')
    .innerJoin('rooms', 'rooms.host_id', 'hosts.id')
    .leftJoin('zoom_links', 'zoom_links.host_id', 'hosts.id')
    .select(['hosts.id', 'numerical_id', 'username', 'hosts.email', 'mobile', 'full_name', 'is_active'])
    .select(['rooms.name as room_name', 'zoom_meeting_id', 'zoom_links.email as zoom_email', 'recording_enabled'])
    .select(['storage_limit_gb', 'storage_used_bytes', 'subscription_type', 'subscription_start_date'])
    .select([
      'subscription_end_date',
      'subscription_cancelled_at',
      'login_time',
      'last_login_ip',
      'password_changed_at',
    ])
    .select(['device_id', 'device_model', 'platform', 'app_version', 'ip_address', 'last_seen'])
    .select(['hosts.created_at', 'hosts.updated_at', 'deleted_at'])
    .where('hosts.id', '=', id)
    .executeTakeFirst()
  if (!account) throw notFound('Host')
  return account
}

/** Streams a JSON file of what is kept about a host's account, without the users of its room. */
export function hostFile(deps: Deps, readPage: ReadFilePage, account: HostAccount): Readable {
  return Readable.from(fileText(deps, readPage, account))
}

async function* fileText({ db, now }: Deps, readPage: ReadFilePage, account: HostAccount): AsyncGenerator<string> {
  const { id } = account
  const app_info = await readPage(() =>
    db
      .selectFrom('app_info')
      .select(['user_title', 'helpline', 'message', 'allow_recording', 'has_public_card', 'logo_url'])
      .where('host_id', '=', id)
      .executeTakeFirst(),
  )
  const subscription_changes = await readPage(() =>
    db
      .selectFrom('subscription_changes')
      .select(['at', 'action', 'months', 'before', 'after'])
      .where('host_id', '=', id)
      .orderBy('at')
      .execute(),
  )
  const user_groups = await readPage(() =>
    db
      .selectFrom('user_groups')
      .innerJoin('rooms', 'rooms.id', 'user_groups.room_id')
      .select(['user_groups.name', 'colour', 'user_groups.created_at'])
      .where('rooms.host_id', '=', id)
      .orderBy('user_groups.name')
      .execute(),
  )
  const first = {
    exported_at: new Date(now()).toISOString(),
    account,
    app_info: app_info ?? null,
    subscription_changes,
    user_groups,
  }
  const head = JSON.stringify(first, null, 2)
  yield `${head.slice(0, head.lastIndexOf('\n}'))},\n  "audit": [`
  let after: string | null = '0'
  let separator = ''
  while (after !== null) {
    const from: string = after
    const rows = await readPage(() => readAuditOf(db, id, from))
    for (const { seq: _, ...row } of rows) {
      yield `${separator}\n    ${JSON.stringify(ofAccountAlone(row, id))}`
      separator = ','
    }
    after = rows.length === ROWS_AT_ONCE ? String(rows.at(-1)?.seq) : null
  }
  yield '\n  ]\n}\n'
}

function readAuditOf(db: Db, id: string, after: string) {
  return db
    .selectFrom('audit')
    .select(['seq', 'at', 'actor_role', 'actor_id', 'action', 'target', 'ip', 'before', 'after'])
    .where('host_id', '=', id)
    .where((eb) => eb.or([eb('actor_id', '=', id), eb('target', '=', id)]))
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(ROWS_AT_ONCE)
    .execute()
}

type AuditRow = Omit<Awaited<ReturnType<typeof readAuditOf>>[number], 'seq'>

/** Leaves who else acted to their role, without an address, and whom the host acted on out. */
function ofAccountAlone({ at, actor_role, actor_id, action, target, ip, before, after }: AuditRow, id: string): object {
  const isOwn = actor_id === id
  const hasStates = OF_ACCOUNT.includes(action) && (target === null || target === id)
  return {
    ...{ at, by: isOwn ? 'this account' : actor_role, action },
    ...(isOwn && { ip }),
    ...(hasStates && { before, after }),
  }
}
