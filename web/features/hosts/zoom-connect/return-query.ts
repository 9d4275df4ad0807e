import { readOAuthParams } from '../../../lib/oauth-params.ts'

/** The parameters of a return from Zoom outside a popup. */
export type ReturnQuery = {
  opensAddHost: boolean
  resultId: string | null
  email: string | null
  /** The message once the server has confirmed the result. */
  connected: string
  /** Shown in the modal, or on the page if the modal stays closed. */
  notice: { tone: 'good' | 'warn' | 'bad'; text: string } | null
}

/** True if an address opens Add New Host; Host Management and Host Master have different rules. */
export type OpensAddHost = (params: URLSearchParams) => boolean

export const opensOnHostManagement: OpensAddHost = (params) => params.get('modal') === 'add-host'

export const opensOnHostMaster: OpensAddHost = (params) =>
  hasResult(params) ||
  (params.get('oauth_status') === 'success' && params.has('user_email') && params.has('access_token')) ||
  (params.get('modal') === 'add-host' && params.has('oauth_status'))

const hasResult = (params: URLSearchParams) => params.has('oauth_result') || params.has('oauth_result_id')

export function readReturnQuery(params: URLSearchParams, opens: OpensAddHost): ReturnQuery {
  const { status, resultId, email } = readOAuthParams(params)
  const opensAddHost = opens(params)
  return {
    opensAddHost,
    resultId,
    email,
    connected: CONNECTED[status ?? ''] ?? 'Zoom connected! You can now create the host account.',
    notice: noticeOf(params, { opensAddHost, isConfirmable: resultId !== null && email !== null }),
  }
}

const CONNECTED: Record<string, string> = {
  success: 'Zoom integration successful! You can now create the host account.',
  integrated: 'Zoom account already integrated! You can create the host account.',
}

function noticeOf(
  params: URLSearchParams,
  { opensAddHost, isConfirmable }: { opensAddHost: boolean; isConfirmable: boolean },
): ReturnQuery['notice'] {
  const { status, email } = readOAuthParams(params)
  if (status === 'error') return { tone: 'bad', text: failureText(params) }
  if (status !== 'success' && status !== 'integrated') return null
  if (!opensAddHost) {
    return {
      tone: 'good',
      text: `Zoom integration completed${email ? ` for ${email.slice(0, LONGEST_MESSAGE)}` : ''}.`,
    }
  }
  // A token or a status in an address proves nothing: the server can confirm only a result id.
  return isConfirmable ? null : { tone: 'warn', text: 'Zoom was not confirmed. Please connect it here again.' }
}

const LONGEST_MESSAGE = 200

function failureText(params: URLSearchParams): string {
  const error = params.get('error')
  if (error === 'email_mismatch') {
    const [expected, actual] = [params.get('expected_email'), params.get('actual_email')]
    if (expected && actual) return `Email mismatch: Expected ${expected}, but got ${actual} from Zoom.`
  }
  const message = params.get('message') ?? params.get('error_description')
  if (error === 'oauth_failed' && message) return `OAuth failed: ${message.slice(0, LONGEST_MESSAGE)}`
  return 'OAuth integration failed.'
}

export function withoutReturnQuery(params: URLSearchParams): URLSearchParams {
  const left = new URLSearchParams(params)
  for (const name of [...left.keys()]) {
    if (
      /^(modal|oauth_|user_email$|host_id$|status$|access_token$|error|expected_email$|actual_email$|message$|popup$)/.test(
        name,
      )
    ) {
      left.delete(name)
    }
  }
  return left
}
