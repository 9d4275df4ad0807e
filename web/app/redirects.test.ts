import { describe, expect, test } from 'vitest'
import type { Role } from '../../shared/auth.ts'
import type { SiteName } from '../lib/site.ts'
import { redirectFor, waitsForSession } from './redirects.ts'

const SITES: SiteName[] = ['public', 'host', 'master']
const ROLES: (Role | null)[] = [null, 'host', 'master']

/**
 * Lists where each visitor ends up, on each site. A dot means the requested page. Three rules meet here: the role that
 * a page requires, the site of its login, and that a signed-in visitor never sees a login.
 */
const TABLE = `
                      public                            host                              master
  path                signed out    host  master        signed out    host  master        signed out    host  master
  /                   .             .     .             /login        HOME  HOSTS         /master-login HOME  HOSTS
  /login              .             HOME  HOSTS         .             HOME  HOSTS         /master-login HOME  HOSTS
  /master-login       .             HOME  HOSTS         /login        HOME  HOSTS         .             HOME  HOSTS

  /terms              .             .     .             .             .     .             .             .     .
  /policy             .             .     .             .             .     .             .             .     .
  /documentation      .             .     .             .             .     .             .             .     .
  /support            .             .     .             .             .     .             .             .     .
  /oauth-success      .             .     .             .             .     .             .             .     .
  /oauth-error        .             .     .             .             .     .             .             .     .

  /master             /master-login HOME  .             /login        HOME  .             /master-login HOME  .
  /master/            /master-login HOME  .             /login        HOME  .             /master-login HOME  .
  /master/hosts       /master-login HOME  .             /login        HOME  .             /master-login HOME  .
  /master/hosts/      /master-login HOME  .             /login        HOME  .             /master-login HOME  .
  /master/hosts/add   /master-login HOME  .             /login        HOME  .             /master-login HOME  .
  /master/dashboard   /master-login HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS
  /master/any/thing   /master-login HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS

  /host               /login        HOME  HOSTS          /login        HOME  HOSTS          /master-login HOME  HOSTS
  /host/              /login        HOME  HOSTS          /login        HOME  HOSTS          /master-login HOME  HOSTS
  /host/dashboard     /login        .     HOSTS             /login        .     HOSTS             /master-login .     HOSTS
  /host/users         /login        .     HOSTS             /login        .     HOSTS             /master-login .     HOSTS
  /host/online        /login        .     HOSTS             /login        .     HOSTS             /master-login .     HOSTS
  /host/host-master   /login        .     .             /login        .     .             /master-login .     .
  /host/rooms         /login        .     HOSTS             /login        .     HOSTS             /master-login .     HOSTS
  /host/recordings    /login        .     HOSTS             /login        .     HOSTS             /master-login .     HOSTS
  /host/app-info      /login        .     HOSTS             /login        .     HOSTS             /master-login .     HOSTS
  /host/attendance    /login        .     HOSTS             /login        .     HOSTS             /master-login .     HOSTS
  /host/downloads     /login        .     HOSTS             /login        .     HOSTS             /master-login .     HOSTS
  /host/anything      /login        HOME  HOSTS          /login        HOME  HOSTS          /master-login HOME  HOSTS

  /hostile            /             HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS
  /nowhere            /             HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS
  /admin/dashboard    /             HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS
  /support/nothing    /             HOME  HOSTS         /login        HOME  HOSTS         /master-login HOME  HOSTS
`

const ENDS: Record<string, string> = { HOME: '/host/dashboard', HOSTS: '/master/hosts' }
const MOST_REDIRECTS = 4

type Row = [path: string, ends: string[]]

const rows = TABLE.split('\n')
  .filter((line) => line.trim().startsWith('/'))
  .map((line): Row => {
    const [path = '', ...ends] = line.trim().split(/\s+/)
    return [path, ends.map((end) => (end === '.' ? path : (ENDS[end] ?? end)))]
  })

function followRedirects(path: string, site: SiteName, role: Role | null): string {
  let at = path
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const target = redirectFor(at, site, role)
    if (target === null) return at
    at = target
  }
  throw new Error(`${path} on the ${site} site for ${role ?? 'signed out'} is an endless loop`)
}

describe('redirectFor', () => {
  test.each(rows)('%s', (path, ends) => {
    const found = SITES.flatMap((site) => ROLES.map((role) => followRedirects(path, site, role)))
    expect(found).toEqual(ends)
  })
})

test.each(['/terms', '/policy', '/documentation', '/support', '/oauth-success', '/oauth-error'])(
  '%s shows on every site at once',
  (path) => {
    for (const site of SITES) expect(waitsForSession(path, site)).toBe(false)
  },
)

test('only the landing page and the open pages do not wait for the session', () => {
  expect(waitsForSession('/', 'public')).toBe(false)
  expect(waitsForSession('/', 'host')).toBe(true)
  expect(waitsForSession('/login', 'host')).toBe(true)
  expect(waitsForSession('/host/online', 'host')).toBe(true)
})
