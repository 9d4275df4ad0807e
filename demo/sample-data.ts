import { MasterLoginAnswer } from '../shared/auth.ts'
import { Done } from '../shared/envelope.ts'
import { type EditHost, type Host, HostAnswer, HostsAnswer, type IntegrateHost } from '../shared/hosts.ts'
import { CallFailure, call } from '../shared/phone/call.ts'
import { SAMPLE_HOSTS } from '../simulator/sample-logins.ts'
import { connectZoom } from './connect-zoom.ts'
import { addPeople, addRecordings } from './first-room.ts'

export type SampleDataOptions = {
  server: string // an address that this machine can reach
  publicUrl: string
  emulatorOrigin: string | null // null: the real Zoom, where the demo cannot consent for anybody
  master: { email: string; password: string }
  now?: () => number
}

export type MasterApi = SampleDataOptions & { token: string }

const DAY_MS = 86_400_000
const DAYS_LEFT = 5

/** Thrown if the data folder belongs to another master. */
export class OtherMasterError extends Error {}

/**
 * Adds missing sample data, and returns the first room's host. Each host is completed before the next one starts, and
 * the last by a single call, so that the next start can complete an interrupted one and leave later changes alone.
 */
export async function addSampleData(options: SampleDataOptions): Promise<{ circle: Host; isNew: boolean }> {
  const master = { ...options, token: await signInAsMaster(options) }
  const [live, deleted] = await Promise.all([listHosts(master, false), listHosts(master, true)])
  const find = ({ username }: { username: string }) => [...live, ...deleted].find((host) => host.username === username)

  const circle = find(SAMPLE_HOSTS.circle)
  const readers = find(SAMPLE_HOSTS.readers)
  if (circle && readers && readers.subscription_status !== 'none')
    return { circle: await renewConsent(master, circle), isNew: false }

  const host = await completeCircle(master, circle)
  await completeChoir(master, find(SAMPLE_HOSTS.choir), readers)
  await completeReaders(master, readers)
  return { circle: host, isNew: true }
}

/** An update may need more scopes than were granted before it. */
async function renewConsent(master: MasterApi, circle: Host): Promise<Host> {
  const isOutdated = circle.zoom_warnings.some(({ code }) => code === 'scopes_missing')
  if (!isOutdated || !master.emulatorOrigin || !circle.zoom_user_email || circle.deleted_at) return circle
  await consent(master, circle.zoom_user_email, circle.id)
  return (await listHosts(master, false)).find(({ id }) => id === circle.id) ?? circle
}

async function signInAsMaster({ server, master }: SampleDataOptions): Promise<string> {
  try {
    return (await call(MasterLoginAnswer, 'POST', `${server}/api/auth/master-login`, { body: master })).token
  } catch (error) {
    if (error instanceof CallFailure && error.status === 400) throw new OtherMasterError(error.message)
    throw error
  }
}

async function listHosts({ server, token }: MasterApi, deleted: boolean): Promise<Host[]> {
  return (await call(HostsAnswer, 'GET', `${server}/api/admin/hosts?deleted=${deleted}`, { token })).data.hosts
}

/** Completes the active host: connected to Zoom, a full room, half a year of recordings. */
async function completeCircle(master: MasterApi, found: Host | undefined): Promise<Host> {
  const { username, password } = SAMPLE_HOSTS.circle
  const email = 'amara@evening-circle.example'
  const canConnect = master.emulatorOrigin !== null
  let host = found
  if (!host) {
    const oauth_result_id = canConnect ? await consent(master, email) : null
    host = await addHost(master, {
      email,
      username,
      password,
      room_name: 'Evening Study Circle',
      mobile: '+234 803 555 0142',
      storage_limit_gb: 25,
      subscription_type: 12,
      oauth_result_id,
    })
  } else if (canConnect && !host.rooms[0]?.zoom_meeting_id) {
    // The demo was killed between Zoom's consent and the room's first meeting.
    host = await edit(master, host, { zoom_user_email: email, oauth_result_id: await consent(master, email) })
  }
  await addPeople(master.server, SAMPLE_HOSTS.circle)
  await addRecordings(master, host)
  return host
}

/** Makes the cancelled host, or what an interrupted start left out. If the host after it exists, nothing is missing. */
async function completeChoir(master: MasterApi, found: Host | undefined, next: Host | undefined) {
  if (next) return
  const { username, password } = SAMPLE_HOSTS.choir
  const host =
    found ??
    (await addHost(master, {
      email: 'mateus@harbour-choir.example',
      username,
      password,
      room_name: 'Harbour Choir Rehearsal',
      mobile: '+351 912 555 087',
      subscription_type: 3,
    }))
  if (host.subscription_status === 'cancelled') return
  await call(Done, 'POST', `${master.server}/api/admin/hosts/${host.id}/cancel-subscription`, {
    token: master.token,
  })
}

/** Completes the host whose subscription ends within a week; it has no subscription until everything else is there. */
async function completeReaders(master: MasterApi, found: Host | undefined) {
  const { username, password } = SAMPLE_HOSTS.readers
  const host =
    found ??
    (await addHost(master, {
      email: 'hana@morning-readers.example',
      username,
      password,
      room_name: 'Morning Readers',
      mobile: '+81 90 5555 0163',
    }))
  const end = (master.now?.() ?? Date.now()) + DAYS_LEFT * DAY_MS
  await edit(master, host, { subscription_status: 'active', subscription_end_date: new Date(end).toISOString() })
}

function consent({ server, token, publicUrl }: MasterApi, email: string, hostId?: string) {
  const returnUrl = `${publicUrl}/oauth-success`
  return connectZoom({ server, token, email, returnUrl, ...(hostId && { hostId }) })
}

async function addHost({ server, token }: MasterApi, body: IntegrateHost): Promise<Host> {
  return (await call(HostAnswer, 'POST', `${server}/api/admin/hosts/integrate`, { token, body })).data
}

async function edit({ server, token }: MasterApi, { id }: Host, body: EditHost): Promise<Host> {
  return (await call(HostAnswer, 'PUT', `${server}/api/admin/hosts/${id}`, { token, body })).data
}
