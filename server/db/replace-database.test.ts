import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decideForDatabase, replaceDatabase } from './replace-database.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-replace-'))
  for (const name of ['pglite', 'snapshots', 'restored']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'what'), name)
  }
})
afterEach(() => rm(folder, { recursive: true }))

const read = (name: string) => readFile(join(folder, name, 'what'), 'utf8')
const move = (from: string, to: string) => rename(join(folder, from), join(folder, to))

test('nothing happens where no restored database waits', async () => {
  expect(await replaceDatabase(folder)).toEqual([])
  expect(await read('pglite')).toBe('pglite')
})

test.each([
  ['before the first step', async () => {}],
  ['after the snapshots', () => move('snapshots', 'snapshots.replaced-x')],
  [
    'after the database',
    async () => {
      await move('snapshots', 'snapshots.replaced-x')
      await move('pglite', 'pglite.replaced-x')
    },
  ],
])('a replacement that was killed %s is finished by the next one', async (_when, steps) => {
  await decideForDatabase(folder, join(folder, 'restored'))
  await steps()
  await replaceDatabase(folder)
  expect(await read('pglite')).toBe('restored')
  const names = await readdir(folder)
  const keptAs = (what: string) => names.find((name) => name.startsWith(`${what}.replaced-`)) ?? ''
  expect([await read(keptAs('pglite')), await read(keptAs('snapshots'))]).toEqual(['pglite', 'snapshots'])
  expect([existsSync(join(folder, 'pglite.next')), await replaceDatabase(folder)]).toEqual([false, []])
})

test('an installation without a database gets it', async () => {
  await rm(join(folder, 'pglite'), { recursive: true })
  await rm(join(folder, 'snapshots'), { recursive: true })
  await decideForDatabase(folder, join(folder, 'restored'))
  expect(await replaceDatabase(folder)).toEqual([])
  expect(await read('pglite')).toBe('restored')
})
