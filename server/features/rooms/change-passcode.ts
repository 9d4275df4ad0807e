import { sql } from 'kysely'
import pLimit from 'p-limit'
import { HOUR_MS } from '../../../shared/dates.ts'
import type { HostActor } from '../../db/actor.ts'
import { SYSTEM } from '../../db/actor.ts'
import { audit } from '../../db/audit-log.ts'
import type { Db, Tx } from '../../db/client.ts'
import { withJobLock } from '../../db/job-lock.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Job } from '../../jobs/job.ts'
import { JOB_INTERVALS } from '../../jobs/retention.ts'
import type { TokenBuckets } from '../../lib/token-bucket.ts'
import { readMeeting, updateMeeting } from '../../zoom/calls.ts'
import { type Deadline, deadlineIn, ZOOM_TIMEOUT_MS } from '../../zoom/deadline.ts'
import { ZoomError } from '../../zoom/errors.ts'
import { writesToday } from '../../zoom/meeting-writes.ts'
import { generatePasscode } from './generate-passcode.ts'
import { storeJoinUrl } from './join-url.ts'
import { reconcileMeeting } from './reconcile-meeting.ts'
import { passcodeAad } from './stored-passcode.ts'

const TEN_SECONDS_MS = 10_000
const ROOMS_AT_ONCE = 8
const CALLS_AT_ONCE = 4
/** Zoom allows a hundred changes a day: the first 50 are 10 s apart, the others half an hour. */
const CLOSE_TOGETHER = 50

/** Returns the room's id; undefined if it has no meeting at Zoom. */
export async function requestPasscodeChange(
  { now }: Pick<Deps, 'now'>,
  tx: Tx,
  host_id: string,
): Promise<string | undefined> {
  const room = await tx
    .updateTable('rooms')
    .set((eb) => ({
      passcode_change_requested_at: eb.fn.coalesce('passcode_change_requested_at', eb.val(new Date(now()))),
    }))
    .where('host_id', '=', host_id)
    .where('zoom_meeting_id', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return room?.id
}

/** Returns true if Zoom accepted the new passcode; otherwise the job retries. */
export async function changePasscodeNow(deps: Deps, limit: TokenBuckets, by: HostActor): Promise<boolean> {
  const { host_id } = by
  await deps.db.transaction().execute(async (tx) => {
    const target = await requestPasscodeChange(deps, tx, host_id)
    if (!target) throw new AppError('room_not_connected', 'Zoom is not connected for this room.')
    limit.take(host_id)
    await audit(deps, tx, by, { action: 'passcode_asked', target })
  })
  try {
    return await changePasscode(deps, host_id, { whileRunning: true })
  } catch (err) {
    deps.log.warn({ err, host_id }, 'zoom.passcode_not_changed')
    return false
  }
}

/**
 * Returns true if no change is pending any more. A running meeting keeps its passcode until it ends, so that people can
 * rejoin, unless the host changes it `whileRunning`.
 */
export async function changePasscode(deps: Deps, host_id: string, { whileRunning = false } = {}): Promise<boolean> {
  const deadline = deadlineIn(ZOOM_TIMEOUT_MS)
  const room = await findRoomAwaitingPasscode(deps.db, host_id)
  if (!room) return true
  const state = await reconcileMeeting(deps, room, deadline)
  if (state === 'started' && !whileRunning) return false
  await deps.meetingMutex.run(host_id, () => setPasscode(deps, host_id, deadline))
  return (await findRoomAwaitingPasscode(deps.db, host_id)) === undefined
}

function findRoomAwaitingPasscode(db: Db, host_id: string) {
  return db
    .selectFrom('rooms')
    .select(['id', 'host_id', 'zoom_meeting_id'])
    .$narrowType<{ zoom_meeting_id: string }>()
    .where('host_id', '=', host_id)
    .where('zoom_meeting_id', 'is not', null)
    .where('passcode_change_requested_at', 'is not', null)
    .executeTakeFirst()
}

async function setPasscode(deps: Deps, host_id: string, deadline: Deadline): Promise<void> {
  const room = await findRoomAwaitingPasscode(deps.db, host_id)
  if (!room) return
  const password = generatePasscode()
  await deps.zoom.callFor(host_id, updateMeeting(room.zoom_meeting_id, { password }), deadline)
  const read = await deps.zoom.callFor(host_id, readMeeting(room.zoom_meeting_id), deadline).catch(() => null)
  // Zoom silently drops what its settings forbid.
  if (read?.password && read.password !== password) throw new ZoomError('refused', 'Zoom kept another passcode')
  await storePasscode(deps, room, password)
  await storeJoinUrl(deps, room, read?.join_url)
}

async function storePasscode(
  deps: Deps,
  room: NonNullable<Awaited<ReturnType<typeof findRoomAwaitingPasscode>>>,
  passcode: string,
) {
  const { id, host_id, zoom_meeting_id } = room
  await deps.db.transaction().execute(async (tx) => {
    const link = await tx
      .selectFrom('zoom_links')
      .select(['meeting_writes', 'meeting_writes_day'])
      .where('host_id', '=', host_id)
      .executeTakeFirst()
    const wait = link && writesToday(link, deps.now()) < CLOSE_TOGETHER ? TEN_SECONDS_MS : HOUR_MS / 2
    const stored = await tx
      .updateTable('rooms')
      .set({
        passcode_ciphertext: deps.secrets.encrypt(passcode, passcodeAad(id)),
        passcode_change_requested_at: null,
        passcode_change_next_attempt_at: new Date(deps.now() + wait),
      })
      .where('id', '=', id)
      .where('zoom_meeting_id', '=', zoom_meeting_id)
      .returning('id')
      .executeTakeFirst()
    if (stored) await audit(deps, tx, SYSTEM, { host_id, action: 'passcode_changed', target: id })
  })
}

/** Retries pending changes, also after a meeting's end. The wait doubles: each equals the time since the request. */
export const renewPasscodes: Job = {
  name: 'renew passcodes',
  every: JOB_INTERVALS.tenSeconds,
  async run(deps, signal) {
    const hosts = (await withJobLock(deps.db, this.name, (tx) => takeDue(deps, tx))) ?? []
    const outcomes = await pLimit(CALLS_AT_ONCE).map(hosts, async (host_id) => {
      if (signal?.aborted) return false
      return changePasscode(deps, host_id).catch((err: unknown) => {
        deps.log.warn({ err, host_id }, 'zoom.passcode_not_changed')
        return false
      })
    })
    return outcomes.filter(Boolean).length
  },
}

async function takeDue({ now }: Deps, tx: Tx): Promise<string[]> {
  const at = new Date(now())
  const { rows } = await sql<{ host_id: string }>`
    with due as (
      select rooms.id from rooms
      join zoom_links on zoom_links.host_id = rooms.host_id and not zoom_links.reconnect_needed
      where passcode_change_requested_at is not null and zoom_meeting_id is not null
        and (passcode_change_next_attempt_at is null or passcode_change_next_attempt_at <= ${at})
        and not exists (
          select from sittings
          where sittings.room_id = rooms.id and sittings.meeting_id = rooms.zoom_meeting_id and sittings.is_live
        )
      order by passcode_change_requested_at
      limit ${sql.lit(ROOMS_AT_ONCE)}
    )
    update rooms
    set passcode_change_next_attempt_at = ${at}::timestamptz + least(
      greatest(${at}::timestamptz - passcode_change_requested_at, interval '1 minute'), interval '1 hour')
    from due where rooms.id = due.id
    returning rooms.host_id`.execute(tx)
  return rows.map(({ host_id }) => host_id)
}
