import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { emptyDataFolder } from '../servers/server-process.ts'

const started: ChildProcess[] = []

/** Starts a process that tries to lock the folder, and returns it with its report. */
async function starter(dataDir: string): Promise<{ child: ChildProcess; message: string }> {
  const child = fork(new URL('./hold-lock.ts', import.meta.url), [dataDir], { execArgv: [] })
  started.push(child)
  const [message] = await once(child, 'message')
  return { child, message }
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

afterEach(async () => {
  const alive = started.splice(0).filter((child) => child.exitCode === null && child.signalCode === null)
  await Promise.all(alive.map(kill))
})

test('one of several servers that start at once on the folder of a killed process gets it', async () => {
  const folder = await emptyDataFolder()
  await kill((await starter(folder.path)).child)

  const starters = await Promise.all(Array.from({ length: 5 }, () => starter(folder.path)))
  const holders = starters.filter(({ message }) => message === 'held')
  expect(holders).toHaveLength(1)
  for (const { message } of starters) if (message !== 'held') expect(message).toMatch(/is in use by/)

  const late = await starter(folder.path)
  expect(late.message).toBe(
    `The data folder ${folder.path} is in use by process ${holders[0]?.child.pid}. Stop it first.`,
  )
  await folder.remove()
})

test('a folder with the lock file of the first versions, which held a process id, is refused', async () => {
  const folder = await emptyDataFolder()
  writeFileSync(join(folder.path, 'server.lock'), '{"pid":1}')
  expect((await starter(folder.path)).message).toBe(
    `DATA_DIR is "${folder.path}", a folder of a version from before 0.1.0. It was not changed. Choose another.`,
  )
  expect(readFileSync(join(folder.path, 'server.lock'), 'utf8')).toBe('{"pid":1}')
  await folder.remove()
})
