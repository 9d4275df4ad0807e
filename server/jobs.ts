import { attendanceJobs } from './features/attendance/jobs.ts'
import { auditJobs } from './features/audit/jobs.ts'
import { authJobs } from './features/auth/jobs.ts'
import { backupJobs } from './features/backup/jobs.ts'
import { goLiveJobs } from './features/go-live/jobs.ts'
import { hostJobs } from './features/hosts/jobs.ts'
import { mailJobs } from './features/mail/jobs.ts'
import { reportLinkJobs } from './features/meetings/links/jobs.ts'
import { personJobs } from './features/person/jobs.ts'
import { plannedMeetingJobs } from './features/planned-meetings/jobs.ts'
import { recordingJobs } from './features/recordings/jobs.ts'
import { roomUserJobs } from './features/room-users/jobs.ts'
import { roomJobs } from './features/rooms/jobs.ts'
import { secondFactorJobs } from './features/second-factor/jobs.ts'
import { zoomAccountJobs } from './features/zoom-accounts/jobs.ts'
import type { Job } from './jobs/job.ts'
import { clearIdempotencyKeys } from './plugins/idempotency.ts'

export const JOBS: Job[] = [
  ...authJobs,
  ...secondFactorJobs,
  ...hostJobs,
  ...zoomAccountJobs,
  ...roomJobs,
  ...plannedMeetingJobs,
  ...goLiveJobs,
  ...roomUserJobs,
  ...personJobs,
  ...recordingJobs,
  ...attendanceJobs,
  ...reportLinkJobs,
  ...auditJobs,
  ...backupJobs,
  ...mailJobs,
  clearIdempotencyKeys,
]
