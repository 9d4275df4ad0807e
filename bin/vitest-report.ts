import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { z } from 'zod'

/** Unlike Vitest's own JSON report, this includes the difference between expected and actual values. */
export const VitestReport = z.object({
  passed: z.number(),
  failures: z.array(z.object({ file: z.string(), test: z.string(), error: z.string() })),
})

/** The environment variable with the report's path. */
export const REPORT_VARIABLE = 'VITEST_REPORT'

type Errors = readonly { message: string; diff?: string | undefined; stack?: string | undefined }[]

export default class FileReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const report: z.infer<typeof VitestReport> = { passed: 0, failures: [] }
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId)
      const fail = (test: string, errors: Errors) => {
        report.failures.push({ file, test, error: `on ${module.project.name}\n${errors.map(textOf).join('\n')}` })
      }
      let hasFailed = false
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'passed') report.passed++
        if (state !== 'failed') continue
        hasFailed = true
        fail(test.fullName, errors)
      }
      if (!hasFailed && module.state() === 'failed') fail('', module.errors())
    }
    writeFileSync(process.env[REPORT_VARIABLE] ?? '', JSON.stringify(report))
  }
}

function textOf({ message, diff = '', stack = '' }: Errors[number]): string {
  const places = stack.split('\n').filter((line) => /^\s+at .*:\d+:\d+/.test(line))
  return [message, diff, ...places].filter(Boolean).join('\n')
}
