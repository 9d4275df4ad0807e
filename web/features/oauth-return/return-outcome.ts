import type { OAuthErrorCode, OAuthMessage } from '../../../shared/oauth.ts'
import { readOAuthParams } from '../../lib/oauth-params.ts'

export type ReturnOutcome =
  | {
      kind: 'success'
      text: string
      message: OAuthMessage
      hostId: string | null
      email: string | null
      resultId: string | null
    }
  | { kind: 'error'; text: string; message: OAuthMessage }

/** Decides what the success page shows and reports to its opener. A token in the address is not passed on. */
export function returnOutcome(params: URLSearchParams): ReturnOutcome {
  const { resultId, email, hostId, status, hasToken } = readOAuthParams(params)

  const success = (text: string): ReturnOutcome => ({
    kind: 'success',
    text,
    hostId,
    email,
    resultId,
    message: {
      type: 'ZOOM_OAUTH_SUCCESS',
      data: {
        status: 'integrated',
        ...(resultId ? { oauth_result_id: resultId } : {}),
        ...(email ? { user_email: email } : {}),
        ...(hostId ? { host_id: hostId } : {}),
      },
    },
  })

  if (resultId) return success('Zoom connected! You can now continue.')
  if (status === 'integrated' && hostId) return success(`Zoom integration completed${email ? ` for ${email}` : ''}.`)
  if (status === 'success' || (hasToken && email)) {
    return success(`Zoom authentication successful${email ? ` for ${email}` : ''}.`)
  }
  return errorOutcome('invalid_parameters', 'Invalid OAuth callback parameters')
}

export function errorOutcome(error: string, text: string): ReturnOutcome {
  return { kind: 'error', text, message: { type: 'ZOOM_OAUTH_ERROR', data: { error, error_message: text } } }
}

/** Returns the next page after a return outside a popup. */
export function nextPageAfterConsent(masterUrl: string, outcome: ReturnOutcome & { kind: 'success' }): string {
  const query = new URLSearchParams({
    ...(outcome.email ? { oauth_email: outcome.email } : {}),
    oauth_status: 'integrated',
    // The form sends it to the server, which confirms the email.
    ...(outcome.resultId && !outcome.hostId ? { oauth_result_id: outcome.resultId } : {}),
  })
  return outcome.hostId
    ? `${masterUrl}/master/dashboard?${query}`
    : `${masterUrl}/master/hosts/add?modal=add-host&${query}`
}

const ERROR_TEXTS: Record<OAuthErrorCode, string> = {
  email_mismatch:
    'The Zoom account email does not match the expected email address. Please ensure you are using the correct Zoom account.',
  access_denied: 'Zoom access was denied. Please try again and ensure you grant the necessary permissions.',
  invalid_request: 'Invalid OAuth request. Please try again or contact support if the issue persists.',
  already_connected:
    'This Zoom account is connected to another host already. Disconnect it there, or choose another account.',
  server_error: 'A server error occurred during authentication. Please try again later.',
}

/** Other codes of OAuth 2 (RFC 6749, sections 4.1.2.1 and 5.2). */
const OTHER_CODES = [
  'unauthorized_client',
  'unsupported_response_type',
  'invalid_scope',
  'temporarily_unavailable',
  'invalid_client',
  'invalid_grant',
]

/** Depends only on the code, since anyone can make a link with a text in it. */
export function errorText(params: URLSearchParams): string {
  const code = errorCode(params)
  return isOAuthErrorCode(code)
    ? ERROR_TEXTS[code]
    : 'An unexpected error occurred during Zoom integration. Please try again.'
}

/** Returns `unknown` unless the server or Zoom uses the code. */
export function errorCode(params: URLSearchParams): string {
  const code = params.get('error') ?? ''
  return isOAuthErrorCode(code) || OTHER_CODES.includes(code) ? code : 'unknown'
}

function isOAuthErrorCode(code: string): code is OAuthErrorCode {
  return Object.hasOwn(ERROR_TEXTS, code)
}
