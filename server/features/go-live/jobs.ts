import { checkMeetings } from './check-meetings.ts'

export const goLiveJobs = [checkMeetings]
