import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../shared/hosts.ts'
import { serverUrlFrom } from '../simulator/options.ts'
import type { MeetingInvitation } from '../simulator/plain-zoom-user.ts'
import { SAMPLE_HOSTS, SAMPLE_MASTER } from '../simulator/sample-logins.ts'
import { ProgramEndedError, startChild, stopChild } from './child.ts'
import { setDemoOptions, startFirstMeeting } from './first-meeting.ts'
import { Nodes } from './nodes.ts'
import { DEMO_HELP, readOptions } from './options.ts'
import { phoneAppAddress, phoneAppQrCode } from './phone-app.ts'
import { addSampleData, OtherMasterError } from './sample-data.ts'
import { SAMPLE_PEOPLE, samplePassword } from './sample-people.ts'
import { type RunningDemo, type SiteUrls, type StartedServer, startOneServer } from './server.ts'
import { ZOOM_USERS, ZoomUsers } from './zoom-users.ts'

const PHONES = 36

const print = (line: string) => process.stdout.write(`${line}\n`)
const env = {
  ...process.env,
  MASTER_EMAIL: process.env.MASTER_EMAIL || SAMPLE_MASTER.email,
  MASTER_PASSWORD: process.env.MASTER_PASSWORD || SAMPLE_MASTER.password,
  ZOOM_DEMO: 'true', // needed where its names or its address look like a production server's
  LOG_LEVEL: process.env.LOG_LEVEL || 'warn', // people read this output
}

const hasSeat = process.env.HOST_SEAT !== 'off'

const parley = start()
let phones: ChildProcess | null = null
let zoomUsers: ZoomUsers | null = null
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
process.on('disconnect', () => void stop(0))
void parley.ended.then((code) => (isStopping ? undefined : stop(code)))

try {
  await begin(await parley.ready)
} catch (error) {
  if (!(error instanceof ProgramEndedError)) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await stop(1)
  }
}

function start(): RunningDemo {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options === 'help') {
      process.stdout.write(DEMO_HELP)
      process.exit(0)
    }
    const { nodes } = options
    return nodes === undefined ? startOneServer(env) : new Nodes(nodes, env, print)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

async function begin(sites: StartedServer) {
  // A proxy at the public address may not be up yet.
  const at = process.env.PUBLIC_URL ? serverUrlFrom(process.env) : sites.public_url
  const circle = await addData(at, sites)
  if (isStopping) return
  const { emulator_origin } = sites
  const isOpen = circle !== null && !circle.deleted_at
  const invitation = isOpen && emulator_origin ? await startMeeting(at) : null
  if (isStopping) return
  showWelcome(sites, circle)
  if (!isOpen) return
  phones = startChild('simulator/main.ts', {
    args: [
      ...['--server', at, '--host-id', circle.user_id, '--minutes', '0', '--credentials', writeLogins(sites)],
      ...(invitation && emulator_origin ? ['--zoom', emulator_origin] : []),
    ],
    env: { ...process.env, DATA_DIR: sites.data_dir },
    quiet: true,
  })
  if (invitation && emulator_origin && hasSeat) zoomUsers = new ZoomUsers({ zoom: emulator_origin, invitation })
}

async function startMeeting(at: string): Promise<MeetingInvitation | null> {
  try {
    return await startFirstMeeting(at)
  } catch (error) {
    print(`The sample meeting was not started: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/** Writes a file of known passwords, since the console limits how many a host may reveal. */
function writeLogins({ data_dir }: StartedServer): string {
  const path = join(data_dir, 'sample-logins.json')
  const logins = SAMPLE_PEOPLE.map(({ username }, index) => ({ username, password: samplePassword(index) }))
  writeFileSync(path, JSON.stringify(logins.slice(0, PHONES)), { mode: 0o600 })
  return path
}

/** Returns the host of the first sample room, or null if there is none. */
async function addData(at: string, sites: SiteUrls): Promise<Host | null> {
  try {
    if (sites.emulator_origin) await setDemoOptions(sites.emulator_origin)
    const { circle } = await addSampleData({
      server: at,
      publicUrl: sites.public_url,
      emulatorOrigin: sites.emulator_origin ?? null,
      master: { email: env.MASTER_EMAIL, password: env.MASTER_PASSWORD },
    })
    if (sites.emulator_origin && !circle.deleted_at) await parley.addHistory(circle.id)
    return circle
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    print(
      error instanceof OtherMasterError
        ? `The data here has another master than ${env.MASTER_EMAIL}, so no sample data was added, and no phones join.`
        : `The sample data is not complete, and no phones join; the next start tries again. ${why}`,
    )
    return null
  }
}

function showWelcome(sites: SiteUrls, circle: Host | null) {
  const phoneApp = circle ? phoneAppAddress(sites.phone_url, circle.user_id) : sites.phone_url
  const lines = [
    '',
    `  Parley is at`,
    `  Public site   ${sites.public_url}`,
    `  Master site   ${sites.master_url}`,
    `  Host site     ${sites.host_url}`,
    `  Phone app     ${phoneApp}`,
    ...(circle ? ['', ...sampleLogins(circle.user_id)] : []),
    ...(circle ? phoneAppQrCode(phoneApp, process.stdout.isTTY) : []),
    ...parley.describe(),
    '',
    `  Ready in ${(performance.now() / 1000).toFixed(1)} s. Ctrl-C stops everything.`,
    '',
  ]
  print(lines.join('\n'))
}

function sampleLogins(hostId: string) {
  const { circle, choir, readers } = SAMPLE_HOSTS
  const last = SAMPLE_PEOPLE.length - 1
  const joining = `${PHONES} simulated phones${hasSeat ? `, and ${ZOOM_USERS} in Zoom only,` : ''} are joining`
  const isOwn = env.MASTER_PASSWORD !== SAMPLE_MASTER.password
  const rows = [
    ['Master', env.MASTER_EMAIL, isOwn ? '(as in MASTER_PASSWORD)' : env.MASTER_PASSWORD, ''],
    ['Host', circle.username, circle.password, `its room ${hostId} is live: ${joining}`],
    ['Host', readers.username, readers.password, 'runs out within a week'],
    ['Host', choir.username, choir.password, 'cancelled, so it may not sign in'],
    ['Phone user', SAMPLE_PEOPLE[last]?.username ?? '', samplePassword(last), `in room ${hostId}, in the phone app`],
  ]
  return rows.map(([who = '', name = '', password = '', note = '']) =>
    `  ${who.padEnd(12)}  ${name.padEnd(22)}  ${password.padEnd(20)}  ${note}`.trimEnd(),
  )
}

async function stop(code: number) {
  if (isStopping) {
    // A second signal stops at once.
    phones?.kill('SIGKILL')
    parley.kill()
    return
  }
  isStopping = true
  await Promise.all([phones && stopChild(phones, 'disconnect', 8000), zoomUsers?.leave()])
  await parley.stop()
  process.exit(code)
}
