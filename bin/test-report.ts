import { z } from 'zod'

/** The names of the tests of a runner. */
export const ReportFile = z.object({
  passed: z.number().default(0),
  failed: z.array(z.string()).default([]),
  /** They passed at the second attempt, and are not counted in `passed`. */
  flaky: z.array(z.string()).default([]),
  times: z.array(z.object({ name: z.string(), seconds: z.number() })).default([]),
})
export type Report = z.infer<typeof ReportFile>

export function addReport(total: Report, report: Report): void {
  total.passed += report.passed
  total.failed.push(...report.failed)
  total.flaky.push(...report.flaky)
  total.times.push(...report.times)
}
