import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Failure, printFailures, printFlaky } from './test-report.ts'
import { runPlaywright, runProgram, runVitest, type TestRun } from './test-runners.ts'
import { cachedZoomSdk, NOT_CACHED } from './zoom-sdk.ts'

// Runs every check, or with paths only the tests there, and prints their count as the last line.

/** A run with more tests than this that only pass at the second attempt fails. */
const MAX_FLAKY = 2

const ZOOM_SDK_CHECK: [string, string[]] = ["the stand-in beside Zoom's own SDK", ['bin/check-zoom-sdk.ts']]
const CHECKS: [string, string[]][] = [
  ['types of all', ['node_modules/typescript/bin/tsc', '--project', '.']],
  ['types of the server', ['node_modules/typescript/bin/tsc', '--project', 'server']],
  ['types of the console', ['node_modules/typescript/bin/tsc', '--project', 'web']],
  ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
  ['unused code and packages', ['node_modules/knip/bin/knip.js']],
  ...(cachedZoomSdk() ? [ZOOM_SDK_CHECK] : []),
]

const began = performance.now()
const paths = process.argv.slice(2).map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''))
const total: TestRun = { passed: 0, failures: [] }

if (paths.length === 0) {
  for (const run of await Promise.all(CHECKS.map(([name, args]) => check(name, args)))) add(run)
  add(await runVitest([]))
  add(await runPlaywright([]))
} else {
  const isIn = (file: string) => paths.some((path) => file === path || file.startsWith(path))
  const unitFiles = globSync('{shared,server,web,emulator,simulator,demo,bench,bin,test}/**/*.test.{ts,tsx}').filter(
    isIn,
  )
  const browserFiles = globSync('test/e2e/**/*.spec.ts').filter(isIn)
  const absolute = paths.map((path) => resolve(path))
  if (unitFiles.length > 0) add(await runVitest(absolute))
  if (browserFiles.length > 0) add(await runPlaywright(absolute))
  if (unitFiles.length + browserFiles.length === 0) {
    total.failures.push({ runner: null, file: paths.join(' '), test: '', error: 'There are no tests here.', kept: [] })
  }
}

const flaky = process.env.CI ? await retryFailed(total) : []
const tooFlaky = flaky.length > MAX_FLAKY
printFailures(total.failures)
if (paths.length === 0 && !cachedZoomSdk())
  process.stdout.write(`\nThe stand-in was not compared with Zoom's SDK. ${NOT_CACHED}\n`)
process.stdout.write(`\nTook ${Math.round((performance.now() - began) / 1000)} s\n`)
printFlaky(flaky)
const passed = total.passed + (tooFlaky ? 0 : flaky.length)
const failed = total.failures.length + (tooFlaky ? flaky.length : 0)
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

function add(run: TestRun): void {
  total.passed += run.passed
  total.failures.push(...run.failures)
}

/** Reruns the files of failed tests separately; returns the tests that pass then. */
async function retryFailed(run: TestRun): Promise<Failure[]> {
  const retried = run.failures.filter(({ runner }) => runner !== null)
  if (retried.length === 0 || retried.length !== run.failures.length || retried.length > MAX_FLAKY) return []
  const stillFailing: Failure[] = []
  for (const { runner, file } of new Map(retried.map((failure) => [failure.file, failure])).values()) {
    process.stdout.write(`\nSecond attempt of ${file}, alone\n`)
    const runFile = runner === 'playwright' ? runPlaywright : runVitest
    stillFailing.push(...(await runFile([resolve(file)], { isRetry: true })).failures)
  }
  run.failures = stillFailing
  const isSame = (one: Failure) => (other: Failure) => one.file === other.file && one.test === other.test
  return retried.filter((failure) => !stillFailing.some(isSame(failure)))
}

async function check(name: string, args: string[]): Promise<TestRun> {
  const { code, output } = await runProgram(args, { isQuiet: true })
  process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${name}\n`)
  if (code === 0) return { passed: 1, failures: [] }
  return { passed: 0, failures: [{ runner: null, file: name, test: '', error: output, kept: [] }] }
}
