import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createWriteStream, mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

// Ten runs of all checks in ten fresh clones of the last commit, most of them on a machine that is worse than usual.
// A test that fails in one of them is broken. `npm run test:often -- load clock` does the runs of these kinds alone.

const DAY_S = 86_400

interface Kind {
  name: string
  says: string
  /** What stands before the command. */
  prefix?: string[]
  env?: Record<string, string>
  beside?: string[]
}

const kinds = {
  quiet: { name: 'quiet', says: 'nothing beside it' },
  load: {
    name: 'load',
    says: 'stress-ng on every core',
    beside: ['stress-ng', '--cpu', String(availableParallelism()), '--quiet'],
  },
  core: { name: 'core', says: 'one core (taskset)', prefix: ['taskset', '-c', '0'] },
  ahead: {
    name: 'clock',
    says: '40 days and 5 h ahead, Asia/Kolkata',
    env: { TZ: 'Asia/Kolkata', CLOCK_SHIFT_SECONDS: String(40 * DAY_S + 5 * 3600) },
  },
  newYear: {
    name: 'clock',
    says: '8 minutes before a new year (UTC), America/Los_Angeles',
    env: { TZ: 'America/Los_Angeles' },
  },
} satisfies Record<string, Kind>

const { quiet, load, core, ahead, newYear } = kinds
const plan: Kind[] = [quiet, quiet, load, load, load, core, core, core, ahead, newYear]
const chosen = process.argv.slice(2)
const runs = plan.filter(({ name }) => chosen.length === 0 || chosen.includes(name))

const folder = mkdtempSync(join(tmpdir(), 'parley-often-'))
chmodSync(folder, 0o755) // PostgreSQL's own user preloads from it too
const preload = join(folder, 'shifted-clock.so')
if (runs.some(({ name }) => name === 'clock')) {
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', preload, 'bin/shifted-clock.c'])
}

say('| run | minutes | passed | failed | flaky | load |')
say('| --- | ---: | ---: | ---: | ---: | --- |')
let isGood = true
for (const [index, kind] of runs.entries()) isGood = (await run(index + 1, kind)) && isGood
say(`\nWhat they printed is in ${folder}`)
process.exitCode = isGood ? 0 : 1

async function run(number: number, { says, prefix = [], env = {}, beside }: Kind): Promise<boolean> {
  const clone = join(folder, `run-${number}`)
  execFileSync('git', ['clone', '--quiet', '.', clone])
  const log = join(folder, `run-${number}.log`)
  const clock = 'TZ' in env ? { LD_PRELOAD: preload, CLOCK_SHIFT_SECONDS: secondsToNewYear(), ...env } : {}
  const busy = beside && spawn(beside[0] ?? '', beside.slice(1), { stdio: 'ignore' })
  const began = performance.now()
  const [command = '', ...args] = [...prefix, 'npm', 'test']
  const child = spawn(command, args, {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true', ...clock },
  })
  const file = createWriteStream(log)
  child.stdout.pipe(file, { end: false })
  child.stderr.pipe(file, { end: false })
  await once(child, 'close')
  busy?.kill()
  const minutes = (performance.now() - began) / 60_000
  await new Promise((resolve) => file.end(resolve))
  const text = await readFile(log, 'utf8')
  const [, passed = '?', failed = '?'] = /^(\d+) passed, (\d+) failed$/m.exec(text) ?? []
  const flaky = [...text.matchAll(/^flaky: .*$/gm)]
  say(`| ${number} | ${minutes.toFixed(1)} | ${passed} | ${failed} | ${flaky.length} | ${says} |`)
  for (const [line] of flaky) say(line)
  if (failed === '0') await rm(clone, { recursive: true, force: true })
  return failed === '0' && flaky.length === 0
}

/** So many seconds that the run passes midnight, and the turn of a year, as the server counts them. */
function secondsToNewYear(): string {
  const now = Temporal.Now.zonedDateTimeISO('UTC')
  const end = now.with({ month: 1, day: 1 }).startOfDay().add({ years: 1 }).subtract({ minutes: 8 })
  return String(Math.round(now.until(end).total('seconds')))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
