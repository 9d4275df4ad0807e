import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { FAULT_GROUPS, type Fault } from '../faults/known-faults.ts'
import { PROTECTIONS } from '../faults/protections.ts'

const DOCUMENT = 'docs/reliability.md'
const FAULTS = FAULT_GROUPS.flatMap(({ faults }) => faults)

/** Returns the page with its part between the two marks rendered from the list of faults. */
function render(page: string): string {
  const [before = '', rest = ''] = page.split('<!-- faults -->')
  const [, after = ''] = rest.split('<!-- end of faults -->')
  const groups = FAULT_GROUPS.map(({ title, faults }) => [`## ${title}`, table(faults)].join('\n\n'))
  return [before, '<!-- faults -->\n\n', groups.join('\n\n'), '\n\n<!-- end of faults -->', after].join('')
}

function table(faults: Fault[]): string {
  const rows = faults.map(({ id, fault, guarantee, measured, bench }) => {
    const command = bench ? `\`npm run bench -- ${bench}\`` : ''
    return [id, fault, guarantee, [measured, command].filter(Boolean).join(': ')]
  })
  const head = ['No.', 'What breaks', 'What holds all the same', 'Measured']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Lists the tests that the named files do not have. */
function findMissing(tests: Record<string, string[]>): string[] {
  return Object.entries(tests).flatMap(([file, names]) => {
    const source = readFileSync(file, 'utf8')
    return names.filter((name) => !source.includes(name)).map((name) => `${file}: ${name}`)
  })
}

test(`${DOCUMENT} shows the list of faults`, async () => {
  await expect(render(readFileSync(DOCUMENT, 'utf8'))).toMatchFileSnapshot(`../../${DOCUMENT}`)
})

test('each fault has a number of its own', () => {
  expect(new Set(FAULTS.map(({ id }) => id)).size).toBe(FAULTS.length)
})

describe('each fault names existing tests and measurements', () => {
  test.each(FAULTS)('$id', ({ tests = {}, isInFaultRun, bench }) => {
    expect(Object.keys(tests).length > 0 || isInFaultRun || bench).toBeTruthy()
    expect(findMissing(tests)).toEqual([])
    if (bench) expect(existsSync(`bench/benchmarks/${bench}.ts`)).toBe(true)
  })
})

describe('each protection names an existing file, and tests that fail without it', () => {
  test.each(PROTECTIONS)('$protection', ({ file, tests }) => {
    expect(existsSync(file)).toBe(true)
    expect(Object.values(tests).flat()).not.toEqual([])
    expect(findMissing(tests)).toEqual([])
  })
})
