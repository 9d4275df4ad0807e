import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Random } from '../../simulator/random.ts'
import type { Env } from './installations.ts'
import { after, run } from './run.ts'
import type { Trial } from './trials.ts'

/** A command that nothing disturbed. */
export interface Reference {
  old: object
  done: object
  /** Milliseconds that it took. */
  ms: number
}

export async function measure(trial: Trial): Promise<Reference> {
  const old = await trial.state()
  const began = performance.now()
  const ended = await run(trial.command, trial.env)
  const ms = performance.now() - began
  expect(ended).toMatchObject({ code: 0, err: '' })
  trial.read?.(ended.out)
  return { ms, old, done: await trial.state() }
}

export type Outcome = 'nothing done' | 'all done' | 'ended before' | 'in between'

/**
 * Kills a command at a random moment, looks at what it left, and runs it again. Fails unless all is whole. `isLate` chooses
 * the second half, since the first one is spent on loading the program.
 */
export async function killOnce(
  trial: Trial,
  { old, done, ms }: Reference,
  random: Random,
  isLate: boolean,
): Promise<{ outcome: Outcome; at: number }> {
  const at = Math.round(random.between(isLate ? ms / 2 : 0, ms))
  const killed = await run(
    trial.command,
    trial.env,
    after(at, (child) => child.kill('SIGKILL')),
  )
  trial.read?.(killed.out)
  const found = await trial.state()
  const between = expectWhole(trial, found, { old, done })
  const isDone = isEqual(found, done)

  const again = await run(trial.next?.() ?? trial.command, trial.env)
  if (again.code !== 0) expect(again).toEqual({ code: 1, out: '', err: expect.stringMatching(trial.isDone ?? /^$/) })
  trial.read?.(again.out)
  expect(leftIn(trial.env)).toEqual([])
  await trial.finish?.()
  const last = await trial.state()
  if (isDone)
    expect(withoutAudit(last)).toEqual(withoutAudit(done)) // it may have done it twice
  else expect(last).toEqual(done)
  if (between) return { at, outcome: 'in between' }
  if (killed.code !== null) return { at, outcome: 'ended before' }
  return { at, outcome: isEqual(found, old) ? 'nothing done' : 'all done' }
}

const withoutAudit = (state: object) => JSON.stringify(state).replace(/"audit":"[^"]*"/, '')
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Fails unless each part is what was there or what is to be. Returns true for a state that a running server would finish. */
export function expectWhole(trial: Trial, found: object, { old, done }: Pick<Reference, 'old' | 'done'>): boolean {
  if (trial.isBetween?.(found, { old, done })) return true
  for (const [part, value] of Object.entries(found)) expectOneOf(part, value, old, done)
  return false
}

function expectOneOf(part: string, found: unknown, old: object, done: object): void {
  const [before, after] = [old, done].map((state) => new Map(Object.entries(state)).get(part))
  if (isEqual(found, before)) return
  expect(found, part).toEqual(after)
}

const OURS =
  /^(pglite|secret\.key(\.old)?|archive|logos|server\.lock|snapshots|moved\.json|(pglite|snapshots)\.replaced-[^/]+|replaced-[^/]+\.tar\.age)$/

/** Lists what a command should have removed. */
export function leftIn({ DATA_DIR = '' }: Env): string[] {
  const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
  return [
    ...namesIn(DATA_DIR).filter((name) => !OURS.test(name)),
    ...namesIn(join(DATA_DIR, 'snapshots')).filter((name) => !name.endsWith('.tar.zst')),
    ...namesIn(join(DATA_DIR, '..', 'files')).filter((name) => name.endsWith('.part')),
    ...namesIn(join(DATA_DIR, '..', 'tmp')),
  ]
}
