import { mkdir } from 'node:fs/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { SiteInfo } from '../../../shared/site.ts'
import { DEMO_CLIENT_ID } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { siteOf, siteOrigins } from '../../lib/sites.ts'
import { BuiltPage } from './built-page.ts'
import { BUILT, keptFilesIn } from './kept-files.ts'
import { pageHead, robotsText, sitemap } from './page-head.ts'

/** Serves the built console: its files, and its page for every other URL of a site. */
export async function serveConsole(app: FastifyInstance, deps: Deps): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, background: true } // not logged
  })
  const kept = keptFilesIn(deps.config.DATA_DIR)
  for (const folder of [BUILT, kept]) await mkdir(folder, { recursive: true }) // it may be built while the server runs
  await app.register(fastifyStatic, {
    root: [BUILT, kept],
    index: false,
    preCompressed: true,
    dotfiles: 'ignore',
    allowedPath: (path) => !path.endsWith('/') && path !== '/index.html' && !/\.(br|gz)$/.test(path),
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
    },
  })

  app.get('/robots.txt', (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robotsText(infoFor(request.headers.host))),
  )
  app.get('/sitemap.xml', (request, reply) =>
    reply.type('application/xml; charset=utf-8').send(sitemap(infoFor(request.headers.host))),
  )

  const page = new BuiltPage(BUILT)
  app.setNotFoundHandler(async (request, reply) => {
    const address = request.url.split('?')[0] ?? '/'
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/api(\/|$)/.test(address)
    if (!isPage || isFile(address)) throw new AppError('not_found', 'There is nothing here.')

    const path = address.length > 1 ? address.replace(/\/+$/, '') : address
    const built = await page.at(path, pageHead(path, infoFor(request.headers.host)))
    const isReturnPage = path === '/oauth-success' || path === '/oauth-error'
    reply.header('cross-origin-opener-policy', isReturnPage ? 'unsafe-none' : 'same-origin-allow-popups')
    reply.headers({ 'cache-control': 'no-store', vary: 'accept-encoding' })
    if (!built) return reply.code(503).type('text/plain; charset=utf-8').send('The console is not built yet.\n')
    reply.type('text/html; charset=utf-8')
    if (!/\bbr\b/.test(String(request.headers['accept-encoding']))) return reply.send(built.html)
    return reply.header('content-encoding', 'br').send(built.brotli)
  })

  const infos = new Map<string | undefined, SiteInfo>()
  function infoFor(hostHeader: string | undefined): SiteInfo {
    const site = siteOf(deps.config, hostHeader) ?? 'public'
    const info = infos.get(site) ?? siteInfo(deps, site)
    infos.set(site, info)
    return info
  }
}

/** No URL of the console has a dot in it. */
function isFile(address: string): boolean {
  return /\.|%2e/i.test(address) || address.startsWith('/assets/')
}

function siteInfo({ config }: Deps, site: SiteInfo['site']): SiteInfo {
  const origins = siteOrigins(config)
  return {
    site,
    public_url: origins.public,
    host_url: origins.host,
    master_url: origins.master,
    demo_zoom: config.ZOOM_CLIENT_ID === DEMO_CLIENT_ID,
    zoom_origin: config.ZOOM_OAUTH_URL,
    zoom_connect_seconds: config.ZOOM_CONNECT_SECONDS ?? null,
    features: config.FEATURES,
    play_store_url: config.PLAY_STORE_URL ?? '',
    support_email: config.SUPPORT_EMAIL,
    support_phone: config.SUPPORT_PHONE,
  }
}
