import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A polled list as it is answered, and where that is worth it, its zipped form under a tag of its own. */
export interface PolledList {
  readonly etag: string
  readonly body: Buffer
  readonly zippedEtag?: string
  zipped?(): Buffer | Promise<Buffer>
}

/** Answers a polled list from a route. */
export function sendPoll(request: FastifyRequest, reply: FastifyReply, list: PolledList): FastifyReply {
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)])
  reply.hijack()
  writePoll(request.raw, reply.raw, list, headers)
  return reply
}

/** 304 for a version that the reader has, else the ready bytes, zipped for a reader who takes them so. */
export function writePoll(
  { headers: asked }: IncomingMessage,
  response: ServerResponse,
  list: PolledList,
  headers: string[],
): void {
  const held = asked['if-none-match']
  const known = held === undefined ? undefined : knownTag(held, list)
  if (known !== undefined) {
    response.writeHead(304, ['etag', known, 'cache-control', 'no-store', 'vary', 'accept-encoding']).end()
    return
  }
  const { etag, zippedEtag } = list
  const zipped = zippedEtag && takesGzip(asked['accept-encoding']) ? list.zipped?.() : undefined
  if (!zipped || !zippedEtag) write(etag, list.body)
  else if (Buffer.isBuffer(zipped)) write(zippedEtag, zipped, 'gzip')
  else void zipped.then((bytes) => write(zippedEtag, bytes, 'gzip'))

  function write(tag: string, body: Buffer, encoding?: string): void {
    const own = ['content-type', 'application/json; charset=utf-8', 'etag', tag, 'vary', 'accept-encoding']
    if (encoding) own.push('content-encoding', encoding)
    response.writeHead(200, [...headers, ...own, 'content-length', String(body.length)]).end(body)
  }
}

function knownTag(header: string, { etag, zippedEtag }: PolledList): string | undefined {
  if (header === etag || header === zippedEtag) return header
  if (header === '*') return etag
  const held = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return held.find((one) => one === etag || one === zippedEtag)
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  return typeof accepted === 'string' && /(^|[\s,])gzip\s*(,|$|;(?!\s*q=0(\.0*)?\s*(,|$)))/i.test(accepted)
}
