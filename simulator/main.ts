import { setTimeout as delay } from 'node:timers/promises'
import { createSchedule } from '../shared/phone/schedule.ts'
import { readCredentials } from './credentials.ts'
import { Crowd } from './crowd.ts'
import { findDemoZoom } from './demo-zoom.ts'
import { DeviceSecrets } from './device-secrets.ts'
import { type Options, PHONES_HELP, readOptions } from './options.ts'
import { seededRandom } from './random.ts'
import { statusLine, summary } from './summary.ts'

const STATUS_INTERVAL_MS = 5000
const LEAVE_TIMEOUT_MS = 5000
const print = (line: string) => process.stdout.write(`${line}\n`)

try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') print(PHONES_HELP)
  else await run(options)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function run(options: Options) {
  const began = performance.now()
  const { server: baseUrl, 'host-id': hostId, scenario } = options
  const schedule = createSchedule()
  const random = seededRandom(options.seed)
  const secrets = await DeviceSecrets.open(options.secrets)
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.once('disconnect', stop)

  const zoom = options.zoom ?? (await findDemoZoom(baseUrl))
  const crowd = new Crowd({ baseUrl, hostId, scenario, random, schedule, secrets, zoom })
  const people = await Promise.race([readCredentials(options, print), stopped])
  if (!people) process.exit()
  print(`${people.length} phones are joining ${hostId} at ${baseUrl}${zoom ? `, and its meeting at ${zoom}` : ''}`)
  if (options.minutes > 0) schedule.after(options.minutes * 60_000, stop)
  scenario.begin({ phones: crowd.phones, random, schedule })
  void showStatus()
  const joining = crowd.signInAll(people)

  await stopped
  schedule.close()
  await Promise.race([Promise.all([crowd.leave(), joining]), delay(LEAVE_TIMEOUT_MS)])
  print(summary(crowd, performance.now() - began))
  // Only sockets that the server keeps open are left.
  process.exit()

  async function showStatus() {
    while (await schedule.wait(STATUS_INTERVAL_MS)) print(statusLine(crowd, new Date().toLocaleTimeString('en-GB')))
  }
}
