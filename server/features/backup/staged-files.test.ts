import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, open, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { emptyDataFolder } from '../../../test/servers/server-process.ts'
import { StagedFiles } from './staged-files.ts'

const folder = await emptyDataFolder()
const otherDisk = await mkdtemp('/dev/shm/parley-')
afterAll(async () => {
  await Promise.all([folder.remove(), rm(otherDisk, { recursive: true })])
})

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

test('a folder on another disk gets its files too', async () => {
  expect(statSync(otherDisk).dev).not.toBe(statSync(folder.path).dev)
  await symlink(otherDisk, join(folder.path, 'archive'))
  const path = `archive/${randomUUID()}/${randomUUID()}.m4a`
  const files = new StagedFiles(folder.path, join(folder.path, 'restoring'))
  await files.add(path, pieces('one, ', 'two'))
  expect(existsSync(join(folder.path, path))).toBe(false)
  await files.move()
  expect(readFileSync(join(folder.path, path), 'utf8')).toBe('one, two')
  expect(readdirSync(otherDisk, { recursive: true })).toHaveLength(2) // a folder and its file
})

test('a file is written whole, also where the disk takes it in pieces', async () => {
  const path = join(folder.path, 'handle')
  await mkdir(folder.path, { recursive: true })
  const handle = await open(path, 'w')
  const prototype = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const { write } = prototype
  const short = vi.spyOn(prototype, 'write').mockImplementation(function (this: typeof handle, data: Buffer) {
    return Reflect.apply(write, this, [data.subarray(0, 1)])
  } as typeof write)
  const files = new StagedFiles(folder.path, join(folder.path, 'restoring'))
  await files.add('logos/whole.png', pieces('one, ', 'two')).finally(() => short.mockRestore())
  await files.move()
  expect(readFileSync(join(folder.path, 'logos/whole.png'), 'utf8')).toBe('one, two')
})
