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

const Report = z.object({
  testResults: z.array(
    z.object({
      /** The file's path. A file that is tried on both engines stands here twice. */
      name: z.string(),
      status: z.enum(['passed', 'failed']),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
})
type Results = z.infer<typeof Report>['testResults']

/** More files than this do not fail by the chance of one moment. */
const MOST_TRIED_AGAIN = 4

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

const results = await runTests(only)
const again = process.env.CI ? failedFiles(results) : []
if (again.length > 0 && again.length <= MOST_TRIED_AGAIN) {
  // Whole, as the tests of a file build on one another, and alone. What passes now is named: it is to be looked into.
  process.stdout.write(`\nA second try, after a failure above:\n${again.join('\n')}\n`)
  count(results.filter(({ name }) => !again.includes(name)))
  count(await runTests(['--maxWorkers=1', ...again]))
} else count(results)

process.stdout.write(`\nAll checks took ${Math.round((performance.now() - began) / 1000)} s\n`)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

/** A run that ends badly without a failed test, as of an error that nobody caught, counts as one failure. */
async function runTests(args: string[]): Promise<Results> {
  const report = join(await mkdtemp(join(tmpdir(), 'parley-test-')), 'report.json')
  const code = await run([
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ])
  const read = Report.safeParse(JSON.parse(await readFile(report, 'utf8').catch(() => 'null')))
  const results = read.success ? read.data.testResults : []
  if (code !== 0 && failedFiles(results).length === 0) failed++
  return results
}

function failedFiles(results: Results): string[] {
  return [...new Set(results.filter(({ status }) => status === 'failed').map(({ name }) => name))]
}

function count(results: Results) {
  for (const { status, assertionResults } of results) {
    const bad = assertionResults.filter((one) => one.status === 'failed').length
    passed += assertionResults.filter((one) => one.status === 'passed').length
    failed += status === 'failed' ? Math.max(bad, 1) : bad // a file can fail before its first test
  }
}

function run(args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (exitCode) => resolve(exitCode ?? 1))
  })
}
