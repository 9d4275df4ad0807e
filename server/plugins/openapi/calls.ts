import type { Calls } from './call.ts'
import { authCalls } from './calls/auth.ts'
import { hostCalls } from './calls/hosts.ts'
import { liveCalls } from './calls/live.ts'
import { operationCalls } from './calls/operation.ts'
import { phoneCalls } from './calls/phones.ts'
import { profileCalls } from './calls/profile.ts'
import { recordingCalls } from './calls/recordings.ts'
import { recordCalls } from './calls/records.ts'
import { roomUserCalls } from './calls/room-users.ts'
import { subscriptionCalls } from './calls/subscriptions.ts'
import { zoomCalls } from './calls/zoom.ts'

/** Every call of the API. A test fails when a route has no entry here, or an entry no route. */
export const CALLS: Calls = {
  ...authCalls,
  ...hostCalls,
  ...subscriptionCalls,
  ...zoomCalls,
  ...profileCalls,
  ...roomUserCalls,
  ...liveCalls,
  ...recordingCalls,
  ...recordCalls,
  ...phoneCalls,
  ...operationCalls,
}
