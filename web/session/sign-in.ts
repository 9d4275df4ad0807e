import { isRecord } from '../is-record.ts'
import { answerOf, send, unexpectedAnswer } from '../send.ts'
import { keepSession, readUser, tellOtherTabs } from './session.ts'

/** Asks the server for a session and keeps it. A host's stands under `data`, a master's at the top. */
export async function signIn(path: '/auth/host/login' | '/auth/master-login', credentials: Record<string, string>) {
  const response = await send('POST', path, credentials)
  const answer = await answerOf(response)
  const given = isRecord(answer) && isRecord(answer.data) ? answer.data : answer
  const user = isRecord(given) ? readUser(given.user) : null
  if (!user || !isRecord(given) || typeof given.token !== 'string') throw unexpectedAnswer(response)
  keepSession(given.token, user)
  tellOtherTabs()
}
