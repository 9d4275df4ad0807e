import { expect, test } from 'vitest'
import type { SiteInfo } from '../../../shared/site.ts'
import { pageHead, robotsText, sitemap, unindexedHead } from './page-head.ts'

const INFO: SiteInfo = {
  site: 'public',
  public_url: 'https://parley.example',
  host_url: 'https://host.parley.example',
  master_url: 'https://master.parley.example',
  phone_url: 'https://phone.parley.example',
  demo_zoom: false,
  zoom_origin: 'https://zoom.us',
  zoom_connect_seconds: null,
  features: [],
  play_store_url: '',
  source_url: '',
  support_email: '</script><script>',
  support_phone: '',
  sends_mail: false,
  seat_url: '',
  seat_sound: false,
  kept_days: { audit: 731, attendance: 396, recordings: null },
}

test('a public page has its title, description and a preview with absolute URLs', () => {
  const head = pageHead('/support', INFO)
  expect(head).toContain('<title>Support · Parley</title>')
  expect(head).toContain('<link rel="canonical" href="https://parley.example/support">')
  expect(head).toContain('<meta property="og:image" content="https://parley.example/preview.png">')
  expect(head).toMatch(/<meta name="description" content="[^"]{50,}">/)
  expect(head).not.toContain('noindex')
})

test.each([
  ['/login', INFO],
  ['/host/users', INFO],
  ['/nowhere', INFO],
  ['/support', { ...INFO, site: 'host' as const }],
])('%s is hidden from search engines', (path, info) => {
  expect(pageHead(path, info)).toContain('<meta name="robots" content="noindex">')
  expect(pageHead(path, info)).not.toContain('og:')
})

test('the pages of the phone app are hidden from search engines', () => {
  const head = unindexedHead({ phone_url: 'https://phone.parley.example', demo_zoom: false })
  expect(head).toBe(
    '<meta name="robots" content="noindex"><script type="application/json" id="site-info">' +
      '{"phone_url":"https://phone.parley.example","demo_zoom":false}</script>',
  )
})

test('a setting cannot close the script that contains it', () => {
  expect(pageHead('/', INFO).match(/<\/script>/g)).toHaveLength(1)
})

test('only the public site can be indexed', () => {
  expect(robotsText('public', INFO.public_url)).toContain('Disallow: /host/')
  expect(robotsText('public', INFO.public_url)).toContain('Sitemap: https://parley.example/sitemap.xml')
  for (const site of ['host', 'master', 'phone', 'meeting'] as const)
    expect(robotsText(site, INFO.public_url)).toBe('User-agent: *\nDisallow: /\n')
  expect(sitemap(INFO.public_url).match(/<loc>[^<]+/g)).toEqual(
    ['/', '/documentation', '/support', '/terms', '/policy'].map((path) => `<loc>https://parley.example${path}`),
  )
})
