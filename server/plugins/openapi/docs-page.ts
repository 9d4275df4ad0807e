import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyPluginAsync } from 'fastify'

const pack = promisify(gzip)

/** Everything comes from this site: no other fonts, scripts, proxies or statistics. */
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

/** Zod inside the script would test whether it may call `eval`, which the policy forbids and reports. */
const HEAD = `<link rel="icon" href="data:,"><script>globalThis.__zod_globalConfig = { jitless: true }</script>`

export const addDocsPage: FastifyPluginAsync = async (app) => {
  let packed: Promise<Buffer> | undefined
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string') return payload
    const type = String(reply.getHeader('content-type') ?? '')
    if (type.startsWith('text/html')) {
      const page = payload.replace('<html>', '<html lang="en">').replace('<head>', `<head>${HEAD}`)
      reply.header('content-security-policy', policyFor(page))
      return page
    }
    if (!type.startsWith('application/javascript')) return payload

    reply.header('cache-control', 'public, max-age=3600').header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return payload
    packed ??= pack(payload)
    reply.header('content-encoding', 'gzip')
    return packed
  })
  await app.register(scalar, { routePrefix: '/docs', logLevel: 'warn', configuration: CONFIGURATION })
}

/** Inline scripts are allowed by hash. Styles are set at run time, so they have no hash that could be listed. */
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
