import { mkdir } from 'node:fs/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import { PUBLIC_PAGES } from '../../../shared/pages.ts'
import type { SiteInfo } from '../../../shared/site.ts'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { isSeatPage, type Site, siteOf, siteOrigins } from '../../lib/sites.ts'
import { BuiltPage } from './built-page.ts'
import { CONSOLE_BUILD_DIR, KeptFiles } from './kept-files.ts'
import { pageHead, robotsText, sitemap, unindexedHead } from './page-head.ts'
import { consoleInfo, meetingInfo, phoneInfo, seatInfo } from './site-infos.ts'

const PUBLIC_SCREENS = Object.entries(PUBLIC_PAGES).map(([path, { screen }]) => [path, screen] as const)

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Serves the built files, and a site's page for every other URL of the site. */
export async function serveConsole(app: FastifyInstance, deps: Deps): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, background: true } // not logged
  })
  await mkdir(CONSOLE_BUILD_DIR, { recursive: true }) // the build may run while the server does
  await app.register(fastifyStatic, {
    root: CONSOLE_BUILD_DIR,
    index: false,
    preCompressed: true,
    dotfiles: 'ignore',
    allowedPath: (path) => !path.endsWith('/') && !/\.(br|gz|html)$/.test(path),
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? FOR_EVER : 'public, max-age=3600')
    },
  })

  const { config } = deps
  const origins = siteOrigins(config)
  const siteAt = ({ headers: { host } }: FastifyRequest) => siteOf(config, host) ?? 'public'
  app.get('/robots.txt', (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robotsText(siteAt(request), origins.public)),
  )
  app.get('/sitemap.xml', (_request, reply) =>
    reply.type('application/xml; charset=utf-8').send(sitemap(origins.public)),
  )

  const kept = new KeptFiles(config.DATA_DIR, deps.secrets, deps.log)
  const pages = sitePages(config)
  const seatHead = unindexedHead(seatInfo(config))
  const seat = { built: new BuiltPage(CONSOLE_BUILD_DIR, 'seat/index.html'), head: () => seatHead }
  app.setNotFoundHandler(async (request, reply) => {
    const address = request.url.split('?')[0] ?? '/'
    const [, asset] = /^\/assets\/([\w.-]+)$/.exec(address) ?? []
    if (asset) return sendKept(kept, asset, request, reply)
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/api(\/|$)/.test(address)
    if (!isPage || isFile(address)) throw new AppError('not_found', 'There is nothing here.')

    const path = address.length > 1 ? address.replace(/\/+$/, '') : address
    const site = siteAt(request)
    if (site === 'host' && bringsMaster(request.url)) {
      return reply.header('cache-control', 'no-store').redirect(origins.master + request.url)
    }
    const { built, head } = isSeatPage(config, site, address) ? seat : pages[site]
    const page = await built.at(path, head(path))
    reply.header('cross-origin-opener-policy', openerPolicy(site, path))
    reply.headers({ 'cache-control': 'no-store', vary: 'accept-encoding' })
    if (!page) return reply.code(503).type('text/plain; charset=utf-8').send('The console is not built yet.\n')
    reply.type('text/html; charset=utf-8')
    if (!/\bbr\b/.test(String(request.headers['accept-encoding']))) return reply.send(page.html)
    return reply.header('content-encoding', 'br').send(page.brotli)
  })
}

/** Sends a file of another release. */
async function sendKept(kept: KeptFiles, name: string, { method, headers }: FastifyRequest, reply: FastifyReply) {
  const isRead = method === 'GET' || method === 'HEAD'
  const file = isRead ? await kept.read(name, String(headers['accept-encoding'])) : null
  if (!file) throw new AppError('not_found', 'There is nothing here.')
  reply.headers({ 'cache-control': FOR_EVER, vary: 'accept-encoding' }).type(file.type)
  if (file.coding) reply.header('content-encoding', file.coding)
  return reply.send(file.content)
}

interface SitePage {
  built: BuiltPage
  head: (path: string) => string
}

function sitePages(config: Config): Record<Site, SitePage> {
  const built = new BuiltPage(CONSOLE_BUILD_DIR, 'index.html', PUBLIC_SCREENS)
  const consoleOf = (site: SiteInfo['site']): SitePage => {
    const info = consoleInfo(config, site)
    return { built, head: (path) => pageHead(path, info) }
  }
  const phoneHead = unindexedHead(phoneInfo(config))
  const meetingHead = unindexedHead(meetingInfo(config))
  return {
    public: consoleOf('public'),
    host: consoleOf('host'),
    master: consoleOf('master'),
    phone: {
      built: new BuiltPage(CONSOLE_BUILD_DIR, 'phone/index.html', [['/', 'phone/start.tsx']]),
      head: () => phoneHead,
    },
    meeting: { built: new BuiltPage(CONSOLE_BUILD_DIR, 'meeting/index.html'), head: () => meetingHead },
  }
}

/** True for a master's token in the URL, unverified: the host's site refuses masters, the master's site verifies it. */
function bringsMaster(url: string): boolean {
  const token = new URLSearchParams(url.split('?')[1]).get('auth_token')
  if (token === null) return false
  try {
    return decodeJwt(token).role === 'master'
  } catch {
    return false
  }
}

/** Page URLs never contain a dot. */
function isFile(address: string): boolean {
  return /\.|%2e/i.test(address) || address.startsWith('/assets/')
}

function openerPolicy(site: Site, path: string): string {
  if (site === 'phone' || site === 'meeting') return 'same-origin'
  const isReturnPage = path === '/oauth-success' || path === '/oauth-error'
  return isReturnPage ? 'unsafe-none' : 'same-origin-allow-popups'
}
