import type { FastifyRequest } from 'fastify'

/** Returns the name of the site that was called, which is the relying party of its passkeys. Other names are refused. */
export const rpIdOf = ({ headers: { host = '' } }: FastifyRequest) => host.replace(/:\d+$/, '').toLowerCase()
