import { afterEach, beforeEach, expect, test } from 'vitest'
import { registerDraft, takeDraft } from './drafts.ts'
import { clearSession, setSignedIn } from './session.ts'

const AMINA = { id: 'a', username: 'amina' }
const BELA = { id: 'b', username: 'bela' }
let typed: string | null
let withdraw: () => void

beforeEach(() => {
  typed = 'Rehearsal at six.'
  withdraw = registerDraft('form', () => typed)
  setSignedIn('token-1', AMINA)
})
afterEach(() => {
  withdraw()
  sessionStorage.clear()
})

test('a draft outlives a session that the server has ended, for the same person and once', () => {
  clearSession({ reason: 'expired' })
  setSignedIn('token-2', AMINA)
  expect(takeDraft('form')).toBe('Rehearsal at six.')
  expect(takeDraft('form')).toBeNull()
})

test.each([
  [
    'another person signs in',
    () => {
      clearSession({ reason: 'expired' })
      setSignedIn('token-2', BELA)
      setSignedIn('token-3', AMINA)
    },
  ],
  ['the person signed out here', () => clearSession({ left: true })],
  ['the person signed out in another tab', () => clearSession({ reason: 'signed_out' })],
  [
    'the person signs out after the next sign-in',
    () => {
      clearSession({ reason: 'expired' })
      setSignedIn('token-2', AMINA)
      clearSession({ left: true })
    },
  ],
  [
    'nothing is unsaved',
    () => {
      typed = null
      clearSession({ reason: 'expired' })
    },
  ],
  [
    'the form was closed before',
    () => {
      withdraw()
      clearSession({ reason: 'expired' })
    },
  ],
])('no draft is left where %s', (_why, act) => {
  act()
  expect(takeDraft('form')).toBeNull()
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Rehearsal')
})
