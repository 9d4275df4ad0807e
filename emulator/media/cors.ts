import type { FastifyInstance } from 'fastify'

const HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '600',
}

/** The Meeting SDK runs in pages of any site. */
export function allowAnyOrigin(app: FastifyInstance) {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(HEADERS)
  })
}

export function preflightRoute(app: FastifyInstance) {
  app.options('/sdk/*', async (_request, reply) => reply.code(204).headers(PREFLIGHT).send())
}
