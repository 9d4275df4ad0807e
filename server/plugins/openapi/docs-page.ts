import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import fastify, { type FastifyPluginAsync } from 'fastify'
import { loadOnce } from '../../lib/load-once.ts'

const pack = promisify(gzip)

/** Everything comes from this site: no external fonts, scripts, proxies or statistics. */
const CONFIGURATION = {
  url: '/api/openapi.json',
  pageTitle: 'Parley API',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
  proxyUrl: '',
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct' as const,
}

/** Zod would test if it may call `eval`, which the policy forbids and reports. */
const HEAD = `<link rel="icon" href="data:,"><script>globalThis.__zod_globalConfig = { jitless: true }</script>`

export const addDocsPage: FastifyPluginAsync = async (app) => {
  const docs = loadOnce(loadDocs)
  const hidden = { schema: { hide: true } }
  app.get('/docs', hidden, async (_request, reply) => reply.redirect('/api/docs/', 301))
  app.get('/docs/', hidden, async (_request, reply) => {
    const { page, policy } = await docs()
    return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page)
  })
  app.get('/docs/js/scalar.js', hidden, async (request, reply) => {
    const { script, packed } = await docs()
    reply.type('application/javascript; charset=utf-8')
    reply.header('cache-control', 'public, max-age=3600').header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return script
    return reply.header('content-encoding', 'gzip').send(packed)
  })
}

/**
 * Loads the package for the first reader, because its 4 MB of code would slow every start. All answers share one buffer,
 * however many are not read.
 */
async function loadDocs() {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const site = fastify()
  await site.register(scalar, { routePrefix: '/docs', configuration: CONFIGURATION })
  const [html, script] = [await site.inject('/docs/'), await site.inject('/docs/js/scalar.js')]
  await site.close()
  const page = html.body.replace('<html>', '<html lang="en">').replace('<head>', `<head>${HEAD}`)
  return {
    page: Buffer.from(page),
    policy: policyFor(page),
    script: script.rawPayload,
    packed: await pack(script.body),
  }
}

/** Allows inline scripts by hash. Styles are set at run time, so their hashes cannot be listed. */
function policyFor(page: string): string {
  const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, text = '']) => text).filter(Boolean)
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
