import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { SiteInfo } from '../shared/site.ts'
import type { Deps } from './deps.ts'
import { AppError } from './errors.ts'
import { siteOf, siteOrigins } from './sites.ts'

const BUILT = new URL('../web/dist/', import.meta.url).pathname

/** Serves the built console: its files as they are, and its page for every other address of a site. */
export async function serveConsole(app: FastifyInstance, deps: Deps): Promise<void> {
  const hasBuild = existsSync(`${BUILT}index.html`)
  if (hasBuild) {
    await app.register(fastifyStatic, {
      root: BUILT,
      index: false,
      wildcard: false,
      setHeaders: (reply, path) => {
        const isHashed = path.includes('/assets/')
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
      },
    })
  }

  let page: string | undefined
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !path.startsWith('/api/')
    if (!isPage || path === '/index.html' || path.startsWith('/assets/'))
      throw new AppError('not_found', 'There is nothing here.')
    if (!hasBuild) return reply.code(503).type('text/plain').send('The console is not built yet.\n')
    page ??= await readFile(`${BUILT}index.html`, 'utf8')

    const info = siteInfo(deps, request.headers.host)
    const isReturnPage = path === '/oauth-success' || path === '/oauth-error'
    reply.header('cross-origin-opener-policy', isReturnPage ? 'unsafe-none' : 'same-origin-allow-popups')
    reply.header('cache-control', 'no-store')
    return reply.type('text/html; charset=utf-8').send(page.replace('<!--site-info-->', siteScript(info)))
  })
}

function siteScript(info: SiteInfo): string {
  const json = JSON.stringify(info).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="site-info">${json}</script>`
}

function siteInfo({ config }: Deps, hostHeader: string | undefined): SiteInfo {
  const origins = siteOrigins(config)
  return {
    site: siteOf(config, hostHeader) ?? 'public',
    public_url: origins.public,
    host_url: origins.host,
    master_url: origins.master,
    demo_zoom: config.isDemoZoom,
    zoom_origin: config.ZOOM_OAUTH_URL,
    features: config.FEATURES,
    play_store_url: config.PLAY_STORE_URL,
    support_email: config.SUPPORT_EMAIL,
    support_phone: config.SUPPORT_PHONE,
  }
}
