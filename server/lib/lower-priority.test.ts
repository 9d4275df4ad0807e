import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('all threads of a process get the lowest priority', () => {
  const program = `
    import { readdirSync } from 'node:fs'
    import { getPriority } from 'node:os'
    import { lowerPriority } from './server/lib/lower-priority.ts'
    lowerPriority()
    lowerPriority('/nowhere')
    console.log(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread))).join())`
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect(out.trim()).toMatch(/^19(,19)+$/)
})
