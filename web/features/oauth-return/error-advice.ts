import type { OAuthErrorCode } from '../../../shared/oauth.ts'

const OF_OURS: Record<OAuthErrorCode, string[]> = {
  email_mismatch: [
    'Open zoom.us in another tab, and sign out of the account that is open there.',
    'Press Connect Zoom again, and sign in to Zoom with the email address of the host.',
    "If the host uses another address at Zoom, enter that one as the Zoom account in the host's form.",
  ],
  access_denied: [
    "Press Connect Zoom again, and press Allow on Zoom's page. Parley needs each of the permissions listed there.",
    'If Zoom does not offer Allow, ask the administrator of your Zoom account to approve the app.',
  ],
  already_connected: [
    'Find the host that uses this Zoom account in Host Management, and press Disconnect in its Edit form.',
    'Or sign out at zoom.us, and connect with the Zoom account of this host.',
  ],
  invalid_request: [
    'Press Connect Zoom again. Each attempt works once, and for ten minutes.',
    'Connect in one window at a time.',
    'If it fails every time, compare the addresses of your Zoom app with the chapter Set up Zoom of the documentation.',
  ],
  server_error: [
    'Wait a minute, then press Connect Zoom again. Nothing has been changed.',
    'See status.zoom.us for a disruption at Zoom.',
    'If it lasts, write to support with the error code and the time.',
  ],
}

const OF_THE_APP = [
  'The Zoom app is not set up as Parley needs it. Compare it with the chapter Set up Zoom of the documentation.',
  'Then press Connect Zoom again.',
]

/** Codes of OAuth 2 itself. */
const OF_OTHERS = new Map([
  ...['unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'invalid_client', 'invalid_grant'].map(
    (code) => [code, OF_THE_APP] as const,
  ),
  ['temporarily_unavailable', OF_OURS.server_error] as const,
])

const OF_UNKNOWN = [
  'Press Connect Zoom again, sign in to Zoom with the email address of the host, and press Allow.',
  'If nothing opens, allow pop-up windows for this site.',
  'If it fails again, write to support with the time and what you saw.',
]

/** Advises on a failed consent, the likeliest remedy first. */
export function errorAdvice(code: string): string[] {
  return Object.entries(OF_OURS).find(([ourCode]) => ourCode === code)?.[1] ?? OF_OTHERS.get(code) ?? OF_UNKNOWN
}
