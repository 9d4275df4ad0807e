import { z } from 'zod'

/** The test names that a runner reports. */
export const TestReport = z.object({
  passed: z.number().default(0),
  failed: z.array(z.string()).default([]),
  /** Tests that passed at the second attempt; `passed` does not count them. */
  flaky: z.array(z.string()).default([]),
  times: z.array(z.object({ name: z.string(), seconds: z.number() })).default([]),
})
export type Report = z.infer<typeof TestReport>

export function addReport(total: Report, report: Report): void {
  total.passed += report.passed
  total.failed.push(...report.failed)
  total.flaky.push(...report.flaky)
  total.times.push(...report.times)
}
