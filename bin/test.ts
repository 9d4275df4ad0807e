import { spawn } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

/** Runs every check, one after the other, and closes with one line that counts them all. */
const checks: [string, string[]][] = [
  ['types', ['node_modules/typescript/bin/tsc', '--project', '.']],
  ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
  ['unused code and packages', ['node_modules/knip/bin/knip.js']],
]

const Report = z.object({ numPassedTests: z.number(), numFailedTests: z.number(), success: z.boolean() })

let passed = 0
let failed = 0
const began = performance.now()
const only = process.argv.slice(2)

if (only.length === 0) {
  for (const [name, args] of checks) {
    const isGood = (await run(args)) === 0
    process.stdout.write(`${isGood ? 'passed' : 'FAILED'}: ${name}\n`)
    if (isGood) passed++
    else failed++
  }
}

const report = join(await mkdtemp(join(tmpdir(), 'parley-test-')), 'report.json')
const code = await run([
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...only,
])
const counted = Report.safeParse(JSON.parse(await readFile(report, 'utf8').catch(() => 'null')))
if (counted.success) {
  passed += counted.data.numPassedTests
  failed += counted.data.numFailedTests
}
if (code !== 0 && (!counted.success || counted.data.numFailedTests === 0)) failed++

process.stdout.write(`\nAll checks took ${Math.round((performance.now() - began) / 1000)} s\n`)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

function run(args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
}
