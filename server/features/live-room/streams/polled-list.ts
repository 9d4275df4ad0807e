import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { apiHeaders } from '../../../lib/api-headers.ts'
import { LARGE_ANSWER_BYTES } from '../../../lib/large-answer.ts'

const gzipAsync = promisify(gzip)

/** Change it with a release that counts other changes or shows other fields: it may run beside the previous one. */
const FORMAT = 6

export interface PolledAnswer {
  readonly etag: string
  readonly body: Buffer
  /** The gzip form has a tag of its own, because a strong tag identifies the exact bytes. */
  readonly gzipEtag?: string
  gzipped?(): Buffer | Promise<Buffer>
}

/** A shorter build needs no rest after it: the rate limit of the polls is enough. */
const SHORT_MS = 1
/** A long build is followed by nine times its length without one, so that a room has a tenth of the event loop. */
const REST = 9
/** A pause of the process may fall into a build. A console's poll waits 5 s. */
const LONGEST_REST_MS = 2_000

interface ListVersion {
  epoch: string
  version: number
  /** Identifies what the list holds besides the room's state. */
  tag?: string
}

/** A polled list, encoded at the first read after a change. Every reader gets the same bytes. */
export class PolledList {
  readonly #room: () => ListVersion
  readonly #build: () => Buffer
  #current: (ListVersion & { answer: EncodedAnswer }) | null = null
  #dueAt = 0
  #due: Promise<void> | undefined

  constructor(room: () => ListVersion, build: () => Buffer) {
    this.#room = room
    this.#build = build
  }

  /** Call before `answer` is sent. Returns nothing if it is built, or may be built now. */
  due(): Promise<void> | undefined {
    const ms = this.#dueAt - performance.now()
    if (ms <= 0 || this.answer.isBuilt) return undefined
    this.#due ??= setTimeout(ms).then(() => {
      this.#due = undefined
    })
    return this.#due
  }

  get answer(): EncodedAnswer {
    const { epoch, version, tag = '' } = this.#room()
    if (this.#current?.version !== version || this.#current.epoch !== epoch || this.#current.tag !== tag) {
      const known = tag === '' ? '' : `-${tag}`
      const answer = new EncodedAnswer(`${epoch}-${version}-${FORMAT}${known}`, () => this.#encode())
      this.#current = { epoch, version, tag, answer }
    }
    return this.#current.answer
  }

  #encode(): Buffer {
    const startedAt = performance.now()
    const body = this.#build()
    const endedAt = performance.now()
    const ms = endedAt - startedAt
    this.#dueAt = ms > SHORT_MS ? endedAt + Math.min(REST * ms, LONGEST_REST_MS) : 0
    return body
  }
}

class EncodedAnswer implements Required<PolledAnswer> {
  readonly etag: string
  readonly gzipEtag: string
  readonly #encode: () => Buffer
  #body: Buffer | null = null
  #gzipped: Buffer | Promise<Buffer> | null = null

  constructor(tag: string, encode: () => Buffer) {
    this.etag = `"${tag}"`
    this.gzipEtag = `"${tag}-gzip"`
    this.#encode = encode
  }

  get isBuilt(): boolean {
    return this.#body !== null
  }

  get body(): Buffer {
    this.#body ??= this.#encode()
    return this.#body
  }

  gzipped(): Buffer | Promise<Buffer> {
    this.#gzipped ??= gzipAsync(this.body, { level: constants.Z_BEST_SPEED }).then((bytes) => {
      this.#gzipped = bytes
      return bytes
    })
    return this.#gzipped
  }
}

const NOT_MODIFIED = ['cache-control', 'no-store', 'vary', 'accept-encoding']

/**
 * Sends 304 for a version that the reader has, else the bytes. Bypasses `reply.send`, which costs half a poll, but for
 * large answers: those that are not read are counted there.
 */
export function polledAnswerSender({ config, metrics }: Pick<Deps, 'config' | 'metrics'>) {
  const sentHeaders = {
    ...apiHeaders(config),
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
  }
  const headers = Object.entries(sentHeaders).flat()

  return function sendPolledAnswer(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: PolledAnswer,
  ): FastifyReply | Promise<FastifyReply | undefined> | undefined {
    const { 'if-none-match': known, 'accept-encoding': accepted } = request.headers
    const match = known === undefined ? undefined : matchingTag(known, answer)
    if (match !== undefined) {
      const { raw } = reply.hijack()
      raw.writeHead(304, ['etag', match, 'x-request-id', request.id, ...NOT_MODIFIED]).end()
      metrics.polls.answered(raw)
      return
    }
    const { etag, gzipEtag } = answer
    const gzipped = gzipEtag && acceptsGzip(accepted) ? answer.gzipped?.() : undefined
    if (!gzipped || !gzipEtag) return write(etag, answer.body)
    if (Buffer.isBuffer(gzipped)) return write(gzipEtag, gzipped, 'gzip')
    return gzipped.then((bytes) => write(gzipEtag, bytes, 'gzip'))

    /** Returns no reply where none is to be awaited, which costs as much as a poll. */
    function write(tag: string, body: Buffer, encoding?: string): FastifyReply | undefined {
      if (body.length >= LARGE_ANSWER_BYTES) {
        if (encoding) reply.header('content-encoding', encoding)
        return reply.headers({ ...sentHeaders, etag: tag, 'x-request-id': request.id }).send(body)
      }
      const bodyHeaders = ['etag', tag, 'content-length', String(body.length), 'x-request-id', request.id]
      if (encoding) bodyHeaders.push('content-encoding', encoding)
      const { raw } = reply.hijack()
      raw.writeHead(200, [...headers, ...bodyHeaders]).end(body)
      metrics.polls.answered(raw)
      return
    }
  }
}

function matchingTag(header: string, { etag, gzipEtag }: PolledAnswer): string | undefined {
  if (header === etag || header === gzipEtag) return header
  if (header === '*') return etag
  const tags = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return tags.find((one) => one === etag || one === gzipEtag)
}

function acceptsGzip(accepted: string | string[] | undefined): boolean {
  return typeof accepted === 'string' && /(^|[\s,])gzip\s*(,|$|;(?!\s*q=0(\.0*)?\s*(,|$)))/i.test(accepted)
}
