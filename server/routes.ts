import { accountLinkRoutes, masterResetLinkRoutes } from './features/account/link-routes.ts'
import { accountRoutes } from './features/account/routes.ts'
import { secondFactorRoutes } from './features/account/second-factor-routes.ts'
import { logoUploadRoutes } from './features/app-info/logo/routes.ts'
import { appInfoRoutes } from './features/app-info/routes.ts'
import { assistantRoutes } from './features/assistants/routes.ts'
import { attendanceRoutes } from './features/attendance/routes.ts'
import { hostAuditRoutes, masterAuditRoutes } from './features/audit/routes.ts'
import { backupRoutes } from './features/backup/routes.ts'
import { dashboardRoutes } from './features/dashboard/routes.ts'
import { fieldReportRoutes } from './features/field-report/routes.ts'
import { goLiveRoutes } from './features/go-live/routes.ts'
import { homeRoutes } from './features/home/routes.ts'
import { hostRoutes, hostSubscriptionRoutes } from './features/hosts/host-routes.ts'
import { masterHostRoutes } from './features/hosts/master-routes.ts'
import { masterSubscriptionRoutes } from './features/hosts/subscription-routes.ts'
import { liveRoomRoutes, streamRoutes } from './features/live-room/routes.ts'
import { claimRoutes, hostLogoutRoutes, loginRoutes, sessionRoutes } from './features/login/routes.ts'
import { masterRoutes } from './features/masters/routes.ts'
import { reportLinkRoutes, sharedReportRoutes } from './features/meetings/links/routes.ts'
import { meetingReportRoutes } from './features/meetings/routes.ts'
import { personErasureRoutes, personExportRoutes } from './features/person/routes.ts'
import { hostPhoneRequestRoutes, phoneRequestRoutes } from './features/phones/phone-request-routes.ts'
import { phoneLoginRoutes, phoneRoutes } from './features/phones/routes.ts'
import { hostSignInLinkRoutes, linkLoginRoutes } from './features/phones/sign-in-link-routes.ts'
import { calendarLinkRoutes, calendarRoutes } from './features/planned-meetings/calendar/routes.ts'
import { plannedMeetingRoutes } from './features/planned-meetings/routes.ts'
import { mediaRoutes, phoneRecordingRoutes, recordingRoutes } from './features/recordings/routes.ts'
import { renewalRoutes } from './features/renewals/routes.ts'
import { liveControlRoutes } from './features/room-users/live-control-routes.ts'
import { oneUserRoutes, onlineUserRoutes, roomUserRoutes } from './features/room-users/routes.ts'
import { userActionRoutes } from './features/room-users/user-action-routes.ts'
import { phoneWordRoutes, wordRoutes } from './features/room-words/routes.ts'
import { meetingRoutes, roomRoutes, startMeetingRoutes } from './features/rooms/routes.ts'
import { attendeeRoutes, seatRoutes } from './features/seat/routes.ts'
import { securityRoutes } from './features/security/routes.ts'
import { systemRoutes } from './features/system/routes.ts'
import { userGroupRoutes } from './features/user-groups/routes.ts'
import { oauthCallbackRoutes, oauthMasterRoutes } from './features/zoom-accounts/oauth-routes.ts'
import { webhookRoutes } from './features/zoom-accounts/webhook-routes.ts'
import { openapiRoutes } from './plugins/openapi/routes.ts'

/** All routes under /api, grouped by their callers, which each routes file states in its first line. */
export const API_ROUTES = [
  // Public
  loginRoutes,
  accountLinkRoutes,
  oauthCallbackRoutes,
  webhookRoutes,
  mediaRoutes,
  phoneLoginRoutes,
  linkLoginRoutes,
  phoneRequestRoutes,
  calendarRoutes,
  sharedReportRoutes,
  streamRoutes,

  // Masters
  homeRoutes,
  masterRoutes,
  masterHostRoutes,
  masterResetLinkRoutes,
  masterSubscriptionRoutes,
  renewalRoutes,
  masterAuditRoutes,
  securityRoutes,
  systemRoutes,
  backupRoutes,
  fieldReportRoutes,
  oauthMasterRoutes,

  // Hosts
  hostRoutes,
  hostSubscriptionRoutes,
  hostAuditRoutes,
  hostLogoutRoutes,
  assistantRoutes,
  appInfoRoutes,
  logoUploadRoutes,
  roomRoutes,
  meetingRoutes,
  plannedMeetingRoutes,
  goLiveRoutes,
  calendarLinkRoutes,
  seatRoutes,
  attendeeRoutes,
  startMeetingRoutes,
  recordingRoutes,
  attendanceRoutes,
  meetingReportRoutes,
  reportLinkRoutes,
  dashboardRoutes,
  roomUserRoutes,
  onlineUserRoutes,
  liveControlRoutes,
  userActionRoutes,
  userGroupRoutes,
  wordRoutes,
  hostPhoneRequestRoutes,
  hostSignInLinkRoutes,
  oneUserRoutes,
  personExportRoutes,
  personErasureRoutes,

  // Phones
  phoneRoutes,
  phoneWordRoutes,
  phoneRecordingRoutes,

  // Consoles of both kinds; hosts and phones
  sessionRoutes,
  claimRoutes,
  accountRoutes,
  secondFactorRoutes,
  liveRoomRoutes,

  // The description of all these routes
  openapiRoutes,
]
