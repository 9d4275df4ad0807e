import { describe, expect, test } from 'vitest'
import type { Role } from '../shared/auth.ts'
import { redirectFor, waitsForSession } from './redirects.ts'
import type { SiteName } from './site.ts'

type Visit = [path: string, site: SiteName, role: Role | null, target: string | null]

const SITES: SiteName[] = ['public', 'host', 'master']

describe('where a visitor is sent', () => {
  test.each<Visit>([
    ['/', 'public', null, null],
    ['/', 'public', 'host', null],
    ['/', 'master', null, '/master-login'],
    ['/', 'host', null, '/login'],

    ['/login', 'public', null, null],
    ['/login', 'host', null, null],
    ['/login', 'master', null, '/master-login'],
    ['/login', 'host', 'host', '/host/dashboard'],
    ['/login', 'master', 'master', '/master/dashboard'],
    ['/master-login', 'master', null, null],
    ['/master-login', 'public', null, null],
    ['/master-login', 'host', null, '/login'],
    ['/master-login', 'master', 'master', '/master/dashboard'],

    ['/master', 'master', 'master', null],
    ['/master/', 'master', 'master', null],
    ['/master/hosts', 'master', 'master', null],
    ['/master/hosts/', 'master', 'master', null],
    ['/master/hosts/add', 'master', 'master', null],
    ['/master/dashboard', 'master', 'master', '/master/hosts'],
    ['/master/anything/else', 'master', 'master', '/master/hosts'],
    ['/master/hosts', 'master', null, '/master-login'],
    ['/master/hosts', 'host', 'host', '/host/dashboard'],

    ['/host', 'host', 'host', '/host/dashboard'],
    ['/host/', 'host', 'host', '/host/dashboard'],
    ['/host/online', 'host', 'host', null],
    ['/host/app-info', 'host', 'host', null],
    ['/host/host-master', 'master', 'master', null],
    ['/host/nothing', 'host', 'host', '/host/dashboard'],
    ['/host/users', 'host', null, '/login'],
    ['/hostile', 'host', 'host', '/host/dashboard'],

    ['/admin/dashboard', 'master', 'master', '/master/dashboard'],
    ['/nowhere', 'host', 'host', '/host/dashboard'],
    ['/nowhere', 'master', null, '/master-login'],
    ['/nowhere', 'host', null, '/login'],
    ['/nowhere', 'public', null, '/'],
  ])('%s on the %s site for %s: %s', (path, site, role, target) => {
    expect(redirectFor(path, site, role)).toBe(target)
  })

  test.each(['/terms', '/policy', '/documentation', '/support', '/oauth-success', '/oauth-error'])(
    '%s shows to everybody on every site, at once',
    (path) => {
      for (const site of SITES) {
        for (const role of [null, 'host', 'master'] as const) expect(redirectFor(path, site, role)).toBeNull()
        expect(waitsForSession(path, site)).toBe(false)
      }
    },
  )

  test('no chain of redirects is endless', () => {
    const paths = ['/', '/login', '/master-login', '/master', '/master/dashboard', '/host', '/host/online', '/x/y']
    for (const site of SITES) {
      for (const role of [null, 'host', 'master'] as const) {
        for (const start of paths) {
          let at: string | null = start
          let hops = 0
          while (at && hops < 5) {
            at = redirectFor(at, site, role)
            hops++
          }
          expect(at, `${start} on ${site} for ${role}`).toBeNull()
        }
      }
    }
  })
})

test('only the landing page and the open pages do not wait for the session', () => {
  expect(waitsForSession('/', 'public')).toBe(false)
  expect(waitsForSession('/', 'host')).toBe(true)
  expect(waitsForSession('/login', 'host')).toBe(true)
  expect(waitsForSession('/host/online', 'host')).toBe(true)
})
