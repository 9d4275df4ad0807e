import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settingsRead } from './settings.ts'

test('.env.example names each setting that the server reads, once, and no other', async () => {
  const example = await readFile('.env.example', 'utf8')
  const named = [...example.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(settingsRead().toSorted())
})

test('a shell can load .env.example, which sets nothing', async () => {
  const example = await readFile('.env.example', 'utf8')
  expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
})
