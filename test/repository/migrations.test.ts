import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFormerRelease } from '../processes/release.ts'

const names = readdirSync('migrations').sort()

test('migrations are numbered without gaps', () => {
  const numbers = names.map((_, index) => String(index + 1).padStart(4, '0'))
  expect(names.map((name) => name.match(/^(\d{4})_[a-z_]+\.sql$/)?.[1])).toEqual(numbers)
})

test('those of the release before are unchanged', () => {
  const former = readFormerRelease('migrations')
  if (!former) process.stdout.write('Migrations were not compared with those of the release before: no history.\n')
  else expect(former.size).toBeGreaterThan(0)
  for (const [path, text] of former ?? []) expect(readFileSync(path, 'utf8'), path).toBe(text)
})
