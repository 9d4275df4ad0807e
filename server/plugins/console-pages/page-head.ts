import { PUBLIC_PAGES } from '../../../shared/pages.ts'
import type { MeetingSiteInfo, PhoneSiteInfo, SeatSiteInfo, SiteInfo } from '../../../shared/site.ts'
import type { Site } from '../../lib/sites.ts'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

type UnindexedInfo = PhoneSiteInfo | MeetingSiteInfo | SeatSiteInfo

const HIDDEN = '<meta name="robots" content="noindex">'

const siteScript = (info: SiteInfo | UnindexedInfo) =>
  `<script type="application/json" id="site-info">${JSON.stringify(info).replaceAll('<', '\\u003c')}</script>`

/** Builds the head for search engines, link previews and the tab's title. */
export function pageHead(path: string, info: SiteInfo): string {
  const page = PUBLIC_PAGES[path]
  const isPublic = isIndexed(path, info.site)
  const tags = [`<title>${escaped(page?.title ?? 'Parley')}</title>`]
  if (!isPublic) tags.push(HIDDEN)
  if (page?.description && isPublic) {
    const address = `${info.public_url}${path}`
    const preview = {
      'og:type': 'website',
      'og:site_name': 'Parley',
      'og:title': page.title,
      'og:description': page.description,
      'og:url': address,
      'og:image': `${info.public_url}/preview.png`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'Parley: a room with many listeners and one voice',
    }
    tags.push(
      `<meta name="description" content="${escaped(page.description)}">`,
      `<link rel="canonical" href="${escaped(address)}">`,
      '<meta name="twitter:card" content="summary_large_image">',
      ...Object.entries(preview).map(([name, value]) => `<meta property="${name}" content="${escaped(value)}">`),
    )
  }
  return tags.join('') + siteScript(info)
}

/** Builds the head of a page that has a title of its own. */
export const unindexedHead = (info: UnindexedInfo) => HIDDEN + siteScript(info)

/** Indexes only the public site: on the others the same pages would be duplicates. */
function isIndexed(path: string, site: Site): boolean {
  return site === 'public' && PUBLIC_PAGES[path]?.description !== undefined
}

export function robotsText(site: Site, public_url: string): string {
  if (site !== 'public') return 'User-agent: *\nDisallow: /\n'
  const closed = ['/api/', '/host/', '/master/', '/oauth-success', '/oauth-error']
  const lines = [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${public_url}/sitemap.xml`,
  ]
  return `${lines.join('\n')}\n`
}

export function sitemap(public_url: string): string {
  const paths = Object.keys(PUBLIC_PAGES).filter((path) => isIndexed(path, 'public'))
  const urls = paths.map((path) => `<url><loc>${escaped(public_url + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
}
