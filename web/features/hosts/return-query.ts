/** What the address asks of a page with hosts after a way through Zoom in the whole page. */
export type ReturnQuery = {
  opensAddHost: boolean
  resultId: string | null
  email: string | null
  /** What to say once the server has confirmed the result. */
  connected: string
  /** A notice for the modal, or for the page where the modal stays shut. */
  notice: { tone: 'good' | 'warn' | 'bad'; text: string } | null
}

/** Whether an address opens Add New Host; each of the two pages with hosts has its own rule. */
export type OpensAddHost = (params: URLSearchParams) => boolean

export const opensOnHostManagement: OpensAddHost = (params) => params.get('modal') === 'add-host'

export const opensOnHostMaster: OpensAddHost = (params) =>
  hasResult(params) ||
  (params.get('oauth_status') === 'success' && params.has('user_email') && params.has('access_token')) ||
  (params.get('modal') === 'add-host' && params.has('oauth_status'))

const hasResult = (params: URLSearchParams) => params.has('oauth_result') || params.has('oauth_result_id')

export function readReturnQuery(params: URLSearchParams, opens: OpensAddHost): ReturnQuery {
  const status = params.get('oauth_status')
  const opensAddHost = opens(params)
  const resultId = params.get('oauth_result_id') || params.get('oauth_result')
  const email = params.get('user_email') || params.get('oauth_email')
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
  const status = params.get('oauth_status')
  if (status === 'error') return { tone: 'bad', text: failureWords(params) }
  if (status !== 'success' && status !== 'integrated') return null
  if (!opensAddHost) {
    const email = params.get('user_email') || params.get('oauth_email')
    return {
      tone: 'good',
      text: `Zoom integration completed${email ? ` for ${email.slice(0, LONGEST_MESSAGE)}` : ''}.`,
    }
  }
  // A token or a mere word in an address is no proof, and nothing that a host could be made with.
  return isConfirmable ? null : { tone: 'warn', text: 'Zoom was not confirmed. Please connect it here again.' }
}

const LONGEST_MESSAGE = 200

function failureWords(params: URLSearchParams): string {
  const error = params.get('error')
  if (error === 'email_mismatch') {
    const [expected, actual] = [params.get('expected_email'), params.get('actual_email')]
    if (expected && actual) return `Email mismatch: Expected ${expected}, but got ${actual} from Zoom.`
  }
  const message = params.get('message') ?? params.get('error_description')
  if (error === 'oauth_failed' && message) return `OAuth failed: ${message.slice(0, LONGEST_MESSAGE)}`
  return 'OAuth integration failed.'
}

/** The address without what has been read from it. */
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
