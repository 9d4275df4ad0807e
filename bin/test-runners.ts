import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { Failure } from './test-report.ts'
import { REPORT_VARIABLE, VitestReport } from './vitest-report.ts'

export interface TestRun {
  passed: number
  failures: Failure[]
}

interface Options {
  /** Uses one worker and a separate folder for its files. */
  isRetry?: boolean
}

export async function runVitest(paths: string[], { isRetry = false }: Options = {}): Promise<TestRun> {
  const alone = isRetry ? ['--maxWorkers=1'] : []
  const { report, code } = await runWithReport(VitestReport, (file) => ({
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=./bin/vitest-report.ts',
      ...alone,
      ...paths,
    ],
    env: { [REPORT_VARIABLE]: file },
  }))
  const failures = report?.failures.map((failure): Failure => ({ ...failure, runner: 'vitest', kept: [] })) ?? []
  const run: TestRun = { passed: report?.passed ?? 0, failures }
  return withExitCode(run, 'Vitest', code)
}

const PlaywrightError = z.object({ message: z.string().default(''), snippet: z.string().default('') })
const PlaywrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  tests: z.array(
    z.object({
      status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
      results: z.array(
        z.object({
          errors: z.array(PlaywrightError.loose()).default([]),
          attachments: z.array(z.object({ name: z.string(), path: z.string().optional() })).default([]),
        }),
      ),
    }),
  ),
})
const PlaywrightSuite = z.object({
  title: z.string(),
  specs: z.array(PlaywrightSpec).default([]),
  get suites() {
    return z.array(PlaywrightSuite).default([])
  },
})
const PlaywrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(PlaywrightSuite),
  errors: z.array(PlaywrightError),
})
type Suite = z.infer<typeof PlaywrightSuite>

export async function runPlaywright(paths: string[], { isRetry = false }: Options = {}): Promise<TestRun> {
  const alone = isRetry ? ['--workers=1', '--output=test-results/second-try'] : []
  const escaped = paths.map((path) => path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const { report, code } = await runWithReport(PlaywrightReport, (file) => ({
    args: ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...alone, ...escaped],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
  }))
  const run: TestRun = { passed: 0, failures: [] }
  const folder = relative('.', report?.config.rootDir ?? '.')
  for (const suite of report?.suites ?? []) collect(suite, [], folder, run)
  for (const { message } of report?.errors ?? []) {
    run.failures.push({ runner: null, file: 'the browser tests', test: '', error: message, kept: [] })
  }
  return withExitCode(run, 'Playwright', code)
}

/** The outermost title is the file's path, which each failure already has. */
function collect(suite: Suite, titles: string[], folder: string, run: TestRun): void {
  for (const { title, file, tests } of suite.specs) {
    for (const { status, results } of tests) {
      if (status === 'expected') run.passed++
      if (status !== 'unexpected') continue
      const errors = results.flatMap((result) => result.errors.map(({ message, snippet }) => `${message}\n${snippet}`))
      const attached = results.flatMap(({ attachments }) => attachments.flatMap(({ path }) => path ?? []))
      run.failures.push({
        runner: 'playwright',
        file: join(folder, file),
        test: [...titles, title].join(' > '),
        error: errors.join('\n'),
        kept: attached.filter((path) => /\.(zip|png)$/.test(path)).map((path) => relative('.', path)),
      })
    }
  }
  for (const inner of suite.suites) collect(inner, [...titles, inner.title], folder, run)
}

/** Counts an exit code without a failed test as one failure, such as after an unhandled error. */
function withExitCode(run: TestRun, name: string, code: number): TestRun {
  if (code === 0 || run.failures.length > 0) return run
  const error = `Exit code ${code} without a failed test; see above.`
  return { ...run, failures: [{ runner: null, file: name, test: '', error, kept: [] }] }
}

async function runWithReport<T>(
  schema: z.ZodType<T>,
  commandFor: (file: string) => { args: string[]; env?: Record<string, string> },
): Promise<{ report: T | null; code: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const file = join(folder, 'report.json')
  const { args, env = {} } = commandFor(file)
  const { code } = await runProgram(args, { env })
  const text = await readFile(file, 'utf8').catch(() => null)
  await rm(folder, { recursive: true })
  return { report: text === null ? null : schema.parse(JSON.parse(text)), code }
}

export async function runProgram(
  args: string[],
  { isQuiet = false, env = {} }: { isQuiet?: boolean; env?: Record<string, string> } = {},
): Promise<{ code: number; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; output: string }>()
  const stdio = isQuiet ? 'pipe' : 'inherit'
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdio, stdio], env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  child.once('error', reject)
  child.once('close', (code) => resolve({ code: code ?? 1, output }))
  return promise
}
