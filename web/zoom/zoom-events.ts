import { z } from 'zod'

// The events of Zoom's Client View that both frames read.

const UserId = z.number()
export const Speakers = z.array(z.object({ userId: UserId, userName: z.string() }))
export const UserLeave = z.object({ userId: UserId.optional(), reasonCode: z.number().optional() })
/** Zoom's type file calls the field status, but its program sends meetingStatus. */
export const MeetingStatus = z
  .object({ status: z.number().optional(), meetingStatus: z.number().optional() })
  .transform(({ status, meetingStatus }) => meetingStatus ?? status)
export const RecordingChange = z.object({ status: z.number() })
export const JoinSpeed = z.object({ level: z.number() })

export const CONNECTION_STATUS = { connected: 2, disconnected: 3, reconnecting: 4 }
export const RECORDING_ON = 1
