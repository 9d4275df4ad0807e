import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDERS = '{bench,bin,demo,emulator,server,shared,simulator,web}/**/*.{ts,tsx}'

/** Names that two files export, each with the reason. */
const EXPORTED_TWICE: Record<string, string> = {
  Attendee: 'somebody in a Zoom meeting: the emulator imports nothing of the product',
  DAY_MS: 'the same time: the emulator imports nothing of the product',
  HOUR_MS: 'the same time: the emulator imports nothing of the product',
  MINUTE_MS: 'the same time: the emulator imports nothing of the product',
  RateLabel: 'a word of Zoom, which the server and the emulator know',
}

test('a type, component or constant that two files export has one meaning', () => {
  const files = globSync(FOLDERS, { exclude: (path) => /dist$|node_modules$|runtime$/.test(String(path)) })
  const exporting = new Map<string, Set<string>>()
  for (const file of files.filter((file) => !/\.test\.tsx?$/.test(file)))
    for (const name of exportedNames(readFileSync(file, 'utf8')))
      exporting.set(name, (exporting.get(name) ?? new Set()).add(file))
  expect(exporting.size).toBeGreaterThan(1000)
  const twice = [...exporting].filter(([, where]) => where.size > 1)
  const unknown = twice.filter(([name]) => !(name in EXPORTED_TWICE))
  expect(unknown.map(([name, where]) => `${name}: ${[...where].join(', ')}`)).toEqual([])
  expect(Object.keys(EXPORTED_TWICE)).toEqual(twice.map(([name]) => name).toSorted())
})

/** Ignores names in lower case, since a function that answers a call is named like its description in `api.ts`. */
function exportedNames(source: string): string[] {
  const declarations = source.matchAll(/^export (?:abstract )?(?:const|class|function|interface|type) ([A-Z]\w*)/gm)
  return [...declarations].map(([, name = '']) => name)
}

test.each([
  ['export type Room = z.infer<typeof Room>', ['Room']],
  ['export const Room = z.object({})\nexport class Rooms {}', ['Room', 'Rooms']],
  ['export function Room() {}', ['Room']],
  ['export async function findRoom() {}\nexport const roomOf = 1', []],
  ['type Room = 1\ninterface Rooms {}', []],
])('%j exports %j', (source, names) => {
  expect(exportedNames(source)).toEqual(names)
})
