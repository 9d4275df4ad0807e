import { z } from 'zod'

const Report = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.number() }) }) })

/** Returns how many files this process may have open; infinite where the system has no such limit. */
export function openFilesLimit(): number {
  const report = Object.assign(process.report, { excludeNetwork: true, excludeEnv: true }) // the names cost lookups
  const limits = Report.safeParse(report.getReport())
  return limits.success ? limits.data.userLimits.open_files.soft : Number.POSITIVE_INFINITY
}
