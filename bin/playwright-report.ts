import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter'
import type { Report } from './test-report.ts'

/** Writes the outcome of each browser test to the file that PLAYWRIGHT_REPORT names. */
export default class PlaywrightReport implements Reporter {
  readonly #errors: string[] = []
  #tests: TestCase[] = []

  onBegin(_config: unknown, suite: Suite): void {
    this.#tests = suite.allTests()
  }

  onError({ message = '' }: TestError): void {
    this.#errors.push(`outside of the browser tests: ${message.split('\n')[0]}`)
  }

  onEnd(): void {
    const those = (outcome: ReturnType<TestCase['outcome']>) => this.#tests.filter((test) => test.outcome() === outcome)
    const report: Report = {
      passed: those('expected').length,
      failed: [...this.#errors, ...those('unexpected').map(nameOf)],
      flaky: those('flaky').map(nameOf),
      times: this.#tests.map((test) => ({ name: nameOf(test), seconds: (test.results.at(-1)?.duration ?? 0) / 1000 })),
    }
    writeFileSync(process.env.PLAYWRIGHT_REPORT ?? '', JSON.stringify(report))
  }

  printsToStdio(): boolean {
    return false
  }
}

/** Names a test by file, groups and title. Playwright's first three titles are those of the run, the project and the file. */
function nameOf(test: TestCase): string {
  return [relative('.', test.location.file), ...test.titlePath().slice(3)].join(' > ')
}
