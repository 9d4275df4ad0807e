import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createWriteStream, mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Runs all checks ten times in fresh clones of the last commit: undisturbed, in parallel, on one core, and with other
// clocks. A test that fails in any of them is broken. `npm run test:often -- load clock` limits it to these kinds.

const DAY_S = 86_400

interface Kind {
  name: string
  description: string
  /** Inserted before the command. */
  prefix?: string[]
  env?: Record<string, string>
}

const quiet: Kind = { name: 'quiet', description: 'both cores' }
const load: Kind = { name: 'load', description: 'both cores' }
const core = (number: number): Kind => ({
  name: 'core',
  description: `core ${number} (taskset)`,
  prefix: ['taskset', '-c', String(number)],
})
const ahead: Kind = {
  name: 'clock',
  description: 'both cores, 40 days and 5 h ahead, Asia/Kolkata',
  env: { TZ: 'Asia/Kolkata', CLOCK_SHIFT_SECONDS: String(40 * DAY_S + 5 * 3600) },
}
const newYear: Kind = {
  name: 'clock',
  description: 'both cores, 4 minutes before a new year (UTC), America/Los_Angeles',
  env: { TZ: 'America/Los_Angeles' },
}

/** The groups run one after the other; the runs of a group, such as three under load, at the same time. */
const plan: Kind[][] = [[quiet], [quiet], [load, load, load], [core(0), core(1)], [core(0), ahead], [newYear]]
const chosen = process.argv.slice(2)
const isChosen = ({ name }: Kind) => chosen.length === 0 || chosen.includes(name)
const groups = plan.map((kinds) => kinds.filter(isChosen))

const folder = mkdtempSync(join(tmpdir(), 'parley-often-'))
chmodSync(folder, 0o755) // PostgreSQL's own user loads the library too
const preload = join(folder, 'shifted-clock.so')
if (groups.flat().some(({ name }) => name === 'clock')) {
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', preload, 'bin/shifted-clock.c'])
}

print('| run | minutes | passed | failed | flaky | on |')
print('| --- | ---: | ---: | ---: | ---: | --- |')
let started = 0
let isGood = true
for (const group of groups) {
  const results = await Promise.all(group.map((kind) => run(++started, kind, group.length - 1)))
  isGood &&= results.every(Boolean)
}
print(`\nTheir output is in ${folder}`)
process.exitCode = isGood ? 0 : 1

async function run(number: number, { description, prefix = [], env = {} }: Kind, besides: number): Promise<boolean> {
  const clone = join(folder, `run-${number}`)
  execFileSync('git', ['clone', '--quiet', '.', clone])
  const log = join(folder, `run-${number}.log`)
  const clock = 'TZ' in env ? { LD_PRELOAD: preload, CLOCK_SHIFT_SECONDS: secondsToNewYear(), ...env } : {}
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
  const minutes = (performance.now() - began) / 60_000
  await new Promise((resolve) => file.end(resolve))
  const text = await readFile(log, 'utf8')
  const [, passed = '?', failed = '?'] = /^(\d+) passed, (\d+) failed$/m.exec(text) ?? []
  const flaky = [...text.matchAll(/^flaky: .*$/gm)]
  const beside = besides > 0 ? `, ${besides} beside it` : ''
  print(`| ${number} | ${minutes.toFixed(1)} | ${passed} | ${failed} | ${flaky.length} | ${description}${beside} |`)
  for (const [line] of flaky) print(line)
  if (failed === '0') await rm(clone, { recursive: true, force: true })
  return failed === '0' && flaky.length === 0
}

/** Returns the clock shift with which a run starts four minutes before the new year in UTC. */
function secondsToNewYear(): string {
  const now = Temporal.Now.zonedDateTimeISO('UTC')
  const end = now.with({ month: 1, day: 1 }).startOfDay().add({ years: 1 }).subtract({ minutes: 4 })
  return String(Math.round(now.until(end).total('seconds')))
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
