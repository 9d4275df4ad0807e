import { beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => sessionStorage.clear())

async function aSignedInTab() {
  vi.resetModules()
  const { currentSession, setSignedIn } = await import('../../lib/session/session.ts')
  setSignedIn('token-1', { id: 'm1', username: 'master', role: 'master' })
  return { currentSession, ...(await import('./inherited-session.ts')) }
}

const OWN = { name: '', opener: null, pathname: '/oauth-error', search: '', hash: '' }

test.each([
  ['a page that was opened by another', { ...OWN, opener: {} }, 'signed-out'],
  ["the window of Zoom's consent", { ...OWN, name: 'zoom_oauth' }, 'signed-out'],
  ['a link that only calls itself a popup', { ...OWN, search: '?popup=true' }, 'signed-in'],
  ['the same in its hash', { ...OWN, pathname: '/oauth-success', hash: '#popup=true' }, 'signed-in'],
  ['any other page, with any opener', { ...OWN, opener: {}, pathname: '/master/hosts' }, 'signed-in'],
])('whether the session stays: %s', async (_what, { name, opener, ...location }, status) => {
  const { currentSession, dropInheritedSession } = await aSignedInTab()
  dropInheritedSession({ name, opener, location })
  expect(currentSession().status).toBe(status)
})
