import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const DOCUMENT = 'docs/reliability.md'
const [CHECKED = ''] = readFileSync(DOCUMENT, 'utf8').split('## Every fault, measured') // a command prints that table
const [FAULTS = '', PROTECTIONS = ''] = CHECKED.split('## Each protection was taken out once')
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\| (?!---|No\.|Protection)/.test(line))
    .map((line) => [line.slice(2, line.indexOf(' |')), line] as const)
const ROWS = [...rowsOf(FAULTS), ...rowsOf(PROTECTIONS)]

/** Matches a command, and the text up to the next one. */
const COMMANDS = /`npm (test -- |run test:faults|run bench -- )([^`]*)`([^`]*)/g

test.each(ROWS)(`${DOCUMENT} names existing tests and measurements in %s`, (_number, row) => {
  const commands = [...row.matchAll(COMMANDS)]
  if (commands.length === 0) expect(row).toContain('no test yet')
  for (const [, command, args = '', text = ''] of commands) {
    if (command === 'run bench -- ') {
      expect(existsSync(`bench/benchmarks/${args}.ts`)).toBe(true)
      continue
    }
    const files = command === 'test -- ' ? args.split(' ') : ['test/faults/node-faults.test.ts']
    const sources = files.map((file) => readFileSync(file, 'utf8'))
    const names = [...text.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name)
    if (command === 'test -- ') expect(names).not.toEqual([])
    expect(names.filter((name) => !sources.some((source) => source.includes(name)))).toEqual([])
  }
})
