/** What the address asks of Host Management after a way through Zoom in the whole page. */
export type ReturnQuery = {
  opensAddHost: boolean
  resultId: string | null
  email: string | null
  /** A notice for the modal, or for the page where the modal stays shut. */
  notice: { tone: 'good' | 'bad'; text: string } | null
}

export function readReturnQuery(params: URLSearchParams): ReturnQuery {
  const status = params.get('oauth_status')
  const resultId = params.get('oauth_result_id') ?? params.get('oauth_result')
  return {
    opensAddHost: params.get('modal') === 'add-host',
    resultId,
    email: params.get('user_email') ?? params.get('oauth_email'),
    notice: status === 'error' ? { tone: 'bad', text: failureWords(params) } : null,
  }
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
      /^(modal|oauth_|user_email$|status$|access_token$|error|expected_email$|actual_email$|message$|popup$)/.test(name)
    ) {
      left.delete(name)
    }
  }
  return left
}
