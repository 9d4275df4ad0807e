import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createVitest, type TestModule } from 'vitest/node'
import { addReport, type Report, TestReport } from './test-report.ts'
import { cachedZoomSdk, NOT_CACHED } from './zoom-sdk.ts'

// Runs every check, or with paths only the tests there, and prints their count as the last line. The checks, Vitest and
// Playwright run side by side, since many tests wait for a process or for a time to pass. The browser tests with the tag
// @realtime follow when these have ended, one at a time: sound that must be silent within a second needs a core to itself.

/** A run with more tests than this that only pass at the second attempt fails. */
const MAX_FLAKY = 2
const SLOWEST = 10

const CHECKS: [string, string[]][] = [
  ['types of all', ['node_modules/typescript/bin/tsc', '--project', '.']],
  ['types of the server', ['node_modules/typescript/bin/tsc', '--project', 'server']],
  ['types of the console', ['node_modules/typescript/bin/tsc', '--project', 'web']],
  ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
  ['unused code and packages', ['node_modules/knip/bin/knip.js']],
]
if (cachedZoomSdk()) CHECKS.push(["the stand-in beside Zoom's own SDK", ['bin/check-zoom-sdk.ts']])

const began = performance.now()
const env = { ...process.env } // without what Vitest adds
const paths = process.argv.slice(2).map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''))
const isWhole = paths.length === 0
const isWanted = (file: string) => isWhole || paths.some((path) => file.startsWith(path))
const hasVitest = globSync('{shared,server,web,emulator,simulator,demo,bench,bin,test}/**/*.test.{ts,tsx}').some(
  isWanted,
)
const hasPlaywright = globSync('test/e2e/**/*.spec.ts').some(isWanted)

const total: Report = { passed: 0, failed: [], flaky: [], times: [] }
const printed = new PassThrough({ highWaterMark: Number.MAX_SAFE_INTEGER }) // of Playwright, until Vitest has ended
const playwright = hasPlaywright ? runPlaywright('--grep-invert=@realtime') : null
const checks = isWhole ? runChecks() : null
const vitest = hasVitest ? await startVitest() : null
printed.pipe(process.stdout, { end: false })
if (playwright) addReport(total, await playwright)
await checks
if (vitest) addReport(total, await finishVitest(vitest))
if (hasPlaywright)
  addReport(total, await runPlaywright('--grep=@realtime', '--workers=1', '--output=test-results/realtime'))
if (!hasVitest && !hasPlaywright) total.failed.push(`There are no tests in ${paths.join(', ')}`)
printTotal()

/** Runs them one after the other, since each keeps a core busy. */
async function runChecks(): Promise<void> {
  for (const [name, args] of CHECKS) {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
    const [[code], ...output] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    process.stdout.write(code === 0 ? `passed: ${name}\n` : `FAILED: ${name}\n${output.join('')}\n`)
    if (code === 0) total.passed++
    else total.failed.push(name)
  }
}

async function startVitest() {
  const vitest = await createVitest('test', { watch: false, ...(isWhole && { maxWorkers: 2 }) })
  await vitest.start(paths.map((path) => resolve(path)))
  return vitest
}

/** Runs the files of a few failed tests again where `CI` is set, when nothing else runs. */
async function finishVitest(vitest: Awaited<ReturnType<typeof startVitest>>): Promise<Report> {
  const errors = [...vitest.state.getUnhandledErrors()] // each further run clears them
  const report = reportOf(vitest.state.getTestModules())
  const failed = vitest.state.getTestModules().filter((module) => !hasPassed(module))
  if (process.env.CI && errors.length === 0 && report.failed.length <= MAX_FLAKY) {
    for (const module of failed) {
      await vitest.runTestSpecifications([module.toTestSpecification()])
      errors.push(...vitest.state.getUnhandledErrors())
    }
    const again = reportOf(vitest.state.getTestModules())
    report.flaky = report.failed.filter((name) => !again.failed.includes(name))
    report.failed = again.failed
  }
  if (errors.length > 0 && report.failed.length === 0) report.failed.push('an error outside of the tests of Vitest')
  await vitest.close()
  return report
}

function reportOf(modules: TestModule[]): Report {
  const report: Report = { passed: 0, failed: [], flaky: [], times: [] }
  for (const module of modules) {
    const file = `${relative('.', module.moduleId)} (${module.project.name})`
    const tests = [...module.children.allTests()]
    for (const test of tests) {
      const name = `${file} > ${test.fullName}`
      report.times.push({ name, seconds: (test.diagnostic()?.duration ?? 0) / 1000 })
      if (test.result().state === 'passed') report.passed++
      if (test.result().state === 'failed') report.failed.push(name)
    }
    if (!hasPassed(module) && !tests.some((test) => test.result().state === 'failed')) report.failed.push(file)
  }
  return report
}

/** A file whose worker has died has no result, and fails nothing by itself. */
function hasPassed(module: TestModule): boolean {
  return module.ok() && ['passed', 'skipped'].includes(module.state())
}

async function runPlaywright(...options: string[]): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const file = join(folder, 'report.json')
  const wanted = paths.map((path) => resolve(path).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const reporter = '--reporter=list,./bin/playwright-report.ts'
  const args = ['test', reporter, '--pass-with-no-tests', ...options, ...wanted]
  const child = spawn(process.execPath, ['node_modules/@playwright/test/cli.js', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, PLAYWRIGHT_REPORT: file },
  })
  child.stdout.pipe(printed, { end: false })
  const [code] = await once(child, 'close')
  const report = TestReport.parse(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')))
  if (code !== 0 && report.failed.length === 0) report.failed.push(`Playwright ended with ${code}`)
  await rm(folder, { recursive: true })
  return report
}

function printTotal(): void {
  if (total.times.length > SLOWEST) print('\nThe slowest tests:')
  const slowest = total.times.sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST)
  for (const { name, seconds } of slowest) print(`${seconds.toFixed(1).padStart(6)} s  ${name}`)
  if (isWhole && !cachedZoomSdk()) print(`\nThe stand-in was not compared with Zoom's SDK. ${NOT_CACHED}`)
  print(`\nTook ${Math.round((performance.now() - began) / 1000)} s`)
  for (const name of total.failed) print(`failed: ${name}`)
  for (const name of total.flaky) print(`flaky: ${name}`)
  const isTooFlaky = total.flaky.length > MAX_FLAKY
  const passed = total.passed + (isTooFlaky ? 0 : total.flaky.length)
  const failed = total.failed.length + (isTooFlaky ? total.flaky.length : 0)
  print(`${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
