import { stripVTControlCharacters } from 'node:util'

export interface Failure {
  /** Null for a check that is not a test. */
  runner: 'vitest' | 'playwright' | null
  /** Relative to the project's root; the name of a check. */
  file: string
  /** Empty if the file failed before its first test. */
  test: string
  error: string
  /** Paths of traces and pictures. */
  kept: string[]
}

const MAX_LINES = 24

export function printFailures(failures: Failure[]): void {
  if (failures.length === 0) return
  process.stdout.write(`\n${'-'.repeat(100)}\nFailed:\n`)
  for (const failure of failures) {
    process.stdout.write(`\n${nameOf(failure)}\n`)
    for (const line of essentialLines(failure.error)) process.stdout.write(`    ${line}\n`)
    for (const path of failure.kept) {
      const note = path.endsWith('.zip') ? `npx playwright show-trace ${path}` : path
      process.stdout.write(`    kept: ${note}\n`)
    }
  }
}

export function printFlaky(flaky: Failure[]): void {
  for (const failure of flaky) process.stdout.write(`flaky: ${nameOf(failure)}\n`)
}

function nameOf({ file, test }: Failure): string {
  return test === '' ? file : `${file} > ${test}`
}

/** Drops stack lines inside libraries. */
function essentialLines(error: string): string[] {
  const lines = stripVTControlCharacters(error).replaceAll(`${process.cwd()}/`, '').trimEnd().split('\n')
  const wanted = lines.filter((line) => line.trim() !== '' && !/^\s+at .*(node_modules|node:internal)/.test(line))
  if (wanted.length <= MAX_LINES) return wanted
  return [...wanted.slice(0, MAX_LINES), `(and ${wanted.length - MAX_LINES} more lines above)`]
}
