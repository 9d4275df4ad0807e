import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Poll } from './room-events/poll.ts'

/** Answers a polled list: 304 for the version that the reader has, else the ready bytes. */
export function sendPoll(request: FastifyRequest, reply: FastifyReply, poll: Poll): FastifyReply {
  const { etag } = poll
  reply.header('etag', etag)
  const held = request.headers['if-none-match']
  if (held !== undefined && matches(held, etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(poll.body)
}

function matches(header: string, etag: string): boolean {
  if (header === etag || header === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
