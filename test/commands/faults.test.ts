import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../simulator/random.ts'
import { buildMachines, type Machine, type Machines } from '../faults/machine.ts'
import { inDatabaseOf, stateOf } from '../processes/backup-world.ts'
import { flipBytes } from '../processes/damage.ts'
import { startServerProcess } from '../servers/server-process.ts'
import type { Env } from './installations.ts'
import { expectWhole, leftIn, measure, type Reference } from './rounds.ts'
import { after, run } from './run.ts'
import { makeTrialWorld, type TrialWorld } from './trial-world.ts'
import { TRIALS, type Trial } from './trials.ts'

/** Set by bin/test-commands.ts: all commands, or those named. Without it, one that is quick. */
const CHOSEN = process.env.COMMANDS
const NAMES = CHOSEN ? CHOSEN.split('\n') : CHOSEN === '' ? Object.keys(TRIALS) : ['person export from PostgreSQL']
const SEED = process.env.COMMAND_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
/** The disk is full from the beginning, and from as many random moments on. */
const MOMENTS = ['from the beginning', ...(CHOSEN === undefined ? [] : ['moment 1', 'moment 2', 'moment 3'])]
const ONE_LINE = /^[A-Z][^\n]+\n$/

let world: TrialWorld
let machines: Machines
let machineOfPostgres: Machine
beforeAll(async () => {
  machines = await buildMachines()
  machineOfPostgres = await machines.create('PostgreSQL')
  world = await makeTrialWorld({ postgresEnv: machineOfPostgres.env })
})
afterAll(async () => {
  await world?.close()
  await machines?.remove()
})

const print = (name: string, fault: string, result: string) =>
  void (CHOSEN !== undefined && process.stdout.write(`${name}, ${fault}: ${result}\n`))

describe.each(NAMES)(`%s (COMMAND_SEED=${SEED})`, (name) => {
  const make = () => {
    const trial = TRIALS[name]?.(world)
    if (!trial) throw new Error(`There is no "${name}"`)
    return trial
  }
  const isEmbedded = !/PostgreSQL/.test(name)
  const isPostgres = !/embedded/.test(name)
  const isRestore = name.startsWith('restore')
  let reference: Reference
  beforeAll(async () => {
    reference = await measure(await make())
  })

  /** Runs it under a fault, after which it has to succeed. */
  async function disturbed(
    trial: Trial,
    fault: string,
    env: Env,
    begin: () => void,
    end: () => Promise<void>,
    at: number,
  ) {
    const ended = await run(trial.command, env, after(at, begin)).finally(end)
    trial.read?.(ended.out)
    print(name, fault, `${ended.code} ${ended.err.trim() || ended.out.split('\n')[0]}`)
    if (ended.code !== 0) expect(ended).toEqual({ code: 1, out: '', err: expect.stringMatching(ONE_LINE) })
    expect(ended.err.trim().split('\n')).toHaveLength(1)
    expectWhole(trial, await trial.state(), reference)
    if (ended.code === 1)
      expect(leftIn(trial.env).filter((left) => !/^server\.pid$|^secret\.key\.new$/.test(left))).toEqual([])
    if (ended.code === 0) return
    const again = await run(trial.next?.() ?? trial.command, trial.env)
    if (again.code !== 0) expect(again).toEqual({ code: 1, out: '', err: expect.stringMatching(trial.isDone ?? /^$/) })
    trial.read?.(again.out)
    await trial.finish?.()
    expect(leftIn(trial.env)).toEqual([])
    expect(await trial.state()).toEqual(reference.done)
  }

  test.each(MOMENTS)('whose disk is full, %s', async (moment) => {
    const trial = await make()
    const machine = await machines.create(`${name.replaceAll(' ', '-')} ${moment}`)
    const at =
      moment === 'from the beginning'
        ? 0
        : seededRandom(`${SEED} ${name} ${moment}`).between(reference.ms / 3, reference.ms)
    if (at === 0) await machine.setDiskFull(true)
    const begin = () => void machine.setDiskFull(true)
    await disturbed(
      trial,
      `full disk, ${moment}`,
      { ...trial.env, ...machine.env },
      begin,
      () => machine.setDiskFull(false),
      at,
    )
  })

  test.each(isPostgres ? MOMENTS : [])('while the disk of PostgreSQL is full, %s', async (moment) => {
    const trial = await make()
    const at =
      moment === 'from the beginning'
        ? 0
        : seededRandom(`${SEED} ${name} pg ${moment}`).between(reference.ms / 3, reference.ms)
    if (at === 0) await machineOfPostgres.setDiskFull(true)
    const begin = () => void machineOfPostgres.setDiskFull(true)
    await disturbed(
      trial,
      `full disk of PostgreSQL, ${moment}`,
      trial.env,
      begin,
      () => machineOfPostgres.setDiskFull(false),
      at,
    )
  })

  /** `read` returns what may not change. */
  async function refused(trial: Trial, fault: string, read: () => Promise<object>): Promise<void> {
    const before = await read()
    const ended = await run(trial.command, trial.env)
    print(name, fault, `${ended.code} ${ended.err.trim()}`)
    expect(ended).toEqual({ code: 1, out: '', err: expect.stringMatching(ONE_LINE) })
    expect(await read()).toEqual(before)
  }

  const control = (env: Env) => join(env.DATA_DIR ?? '', 'pglite/global/pg_control')
  const damages: [string, (env: Env) => void][] = [
    ['a changed byte', (env: Env) => flipBytes(control(env), 64, 1)],
    ['a file cut short', (env: Env) => truncateSync(control(env), 100)],
    ['a changed byte of a row', (env: Env) => flipBytes(largestTable(env), 8_000, 1)],
  ]
  test.each(isEmbedded && !isRestore ? damages : [])('of a database with %s', async (fault, damage) => {
    const trial = await make()
    damage(trial.env)
    const { DATABASE_URL: _, ...files } = trial.env
    await refused(trial, fault, () => stateOf(files)) // not a byte of a file
  })

  if (!isRestore)
    test('of a database of a newer release', async () => {
      const trial = await make()
      const { DATABASE_URL: _, ...source } = trial.env
      await inDatabaseOf(name.startsWith('move') ? source : trial.env, async (db) => {
        await sql`insert into migrations (name, timestamp) values ('9999_later.sql', '')`.execute(db)
      })
      await refused(trial, 'a newer database', trial.state)
    })

  const isTriedBesideServer = CHOSEN !== undefined && !name.startsWith('restore to an empty')
  if (isTriedBesideServer)
    test('beside a server', async () => {
      const trial = await make()
      const { DATABASE_URL: _, ...source } = trial.env
      const server = await startServerProcess(name.startsWith('move') ? source : trial.env)
      try {
        const ended = await run(trial.command, trial.env) // the server writes too, so nothing is compared
        print(name, 'a server runs', `${ended.code} ${ended.err.trim() || ended.out.split('\n')[0]}`)
        const inUse = {
          code: 1,
          out: '',
          err: expect.stringMatching(/: a server uses this installation; stop it first\.\n$/),
        }
        expect(ended).toMatchObject(/^(restore|move|rotate)/.test(name) ? inUse : { code: 0, err: '' })
      } finally {
        await server.kill('SIGKILL')
      }
    })
})

function largestTable({ DATA_DIR = '' }: Env): string {
  const base = join(DATA_DIR, 'pglite/base')
  const paths = readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^\d{5,}$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
  const [largest = ''] = paths.toSorted((a, b) => statSync(b).size - statSync(a).size)
  return largest
}
