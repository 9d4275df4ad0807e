import { expect, test } from 'vitest'
import { setup } from '../servers/setup.ts'

const server = await setup()

const SITES = {
  public: 'localhost',
  master: 'master.localhost',
  host: 'host.localhost',
  phone: 'phone.localhost',
  meeting: 'meeting.phone.localhost',
} as const
type Site = keyof typeof SITES

test.each<['GET' | 'POST', string, Site[]]>([
  ['POST', '/api/auth/master-login', ['public', 'master']],
  ['GET', '/api/admin/hosts', ['public', 'master']],
  ['GET', '/%61pi/admin/audit', ['public', 'master']],
  ['POST', '/api/auth/host/login', ['public', 'master', 'host']],
  ['GET', '/api/host/users', ['public', 'master', 'host']],
  ['GET', '/api/oauth/url', ['public', 'master']],
  ['GET', '/api/oauth/results/a-result', ['public', 'master']],
  ['GET', '/api/oauth/callback', ['public', 'master', 'host']],
  ['POST', '/api/mobile/login', ['public', 'phone']],
  ['GET', '/api/mobile/rooms/H000001', ['public', 'phone']],
  ['GET', '/api/mobile/phone-requests/a-ticket', ['public', 'phone']],
  ['POST', '/api/mobile/link-owner', ['public', 'phone']],
  ['GET', '/api/mobile/me', ['public', 'phone']],
  ['GET', '/api/mobile/room', ['public', 'phone']],
  ['POST', '/api/mobile/sse-session', ['public', 'host', 'phone']],
  ['GET', '/api/mobile/events/a-ticket', ['public', 'host', 'phone']],
  ['GET', '/api/openapi.json', ['public', 'master', 'host', 'phone']],
  ['GET', '/api/docs/', ['public', 'master', 'host']],
])('%s %s is answered at its own sites alone', async (method, url, open) => {
  const isOpen = async (site: Site) => {
    const answer = await server.app.inject({ method, url, headers: { host: SITES[site] } })
    return !(answer.statusCode === 404 && answer.body.includes('There is nothing here.'))
  }
  const sites = Object.keys(SITES) as Site[]
  const answering = await Promise.all(sites.map(async (site) => ((await isOpen(site)) ? [site] : [])))
  expect(answering.flat()).toEqual(open)
})
