import { CallFailure } from '../../../shared/phone/call.ts'
import type { WordKey } from '../words/words.ts'

export type SignInProblem = { key: WordKey; waitSeconds: number | null; code: string | undefined }

const OF_CODE: Record<string, WordKey> = {
  wrong_credentials: 'problem.wrong_credentials',
  device_mismatch: 'problem.device_mismatch',
  subscription_inactive: 'problem.subscription_inactive',
  subscription_cancelled: 'problem.subscription_cancelled',
  room_stopped: 'problem.room_stopped',
  user_inactive: 'problem.user_inactive',
  link_invalid: 'problem.link_invalid',
  too_many: 'problem.too_many',
  busy: 'problem.busy',
  not_ready: 'problem.busy',
}

/** Chooses the app's own text by the error code, since the server's messages are in English. */
export function signInProblemOf(error: unknown): SignInProblem {
  if (!(error instanceof CallFailure)) {
    const key = isUnreadable(error) ? 'problem.unexpected' : 'problem.network'
    return { key, waitSeconds: null, code: undefined }
  }
  const { code = '', retryAfterMs } = error
  const waitSeconds = code === 'too_many' && retryAfterMs ? Math.ceil(retryAfterMs / 1000) : null
  return { key: OF_CODE[code] ?? 'problem.unexpected', waitSeconds, code: error.code }
}

/** Detects a response that is not from Parley, such as the login page of a hotel's network. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError')
}
