import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { audioPath } from '../audio/audio.ts'
import { LongAudio } from '../audio/long-audio.ts'
import { html, sendPage } from '../pages/page.ts'
import { visibleFiles } from '../state/recording-json.ts'
import type { CloudRecording, CloudRecordingFile } from '../state/state.ts'
import { HOUR_MS } from '../state/times.ts'
import { bearerOf, findAccessToken } from '../state/tokens.ts'
import type { Zoom } from '../state/zoom.ts'
import { stalledRequests, truncatedRequests } from './faults.ts'

type ByKey = { Params: { key: string } }
type FoundFile = { recording: CloudRecording; file: CloudRecordingFile }

/** A recording's addresses check the bearer token, then redirect to the file host. */
export function downloadRoutes(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.get<ByKey>('/rec/download/:key', async (request, reply) => {
      const found = findFile(zoom, request.params.key)
      if (!found || !mayRead(zoom, request, found.recording, 'api')) return failedDownload(reply)
      return reply.redirect(signedLink(zoom, found), 302)
    })

    app.get<ByKey>('/rec/webhook_download/:recordingKey/:key', async (request, reply) => {
      const found = findFile(zoom, request.params.key)
      if (!found || !mayRead(zoom, request, found.recording, 'webhook')) return failedDownload(reply)
      return reply.redirect(signedLink(zoom, found), 302)
    })

    for (const path of ['/rec/play/:key', '/rec/share/:key']) {
      app.get(path, async (_request, reply) =>
        sendPage(reply, 'Recording', html`<h1>Recording</h1><p>Zoom would show its own player here.</p>`),
      )
    }
  }
}

const SignedLink = z.object({ expires: z.coerce.number(), signature: z.string() })

/** A second origin, which must never receive a token. */
export function fileHostRoutes(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.get<ByKey>('/file/:key', async (request, reply) => {
      if (request.headers.authorization !== undefined) {
        zoom.memory.leakedTokens.push(request.url)
        return refuse(reply, 400, 'InvalidArgument', 'Only one auth mechanism allowed.')
      }
      const link = SignedLink.safeParse(request.query)
      const { key } = request.params
      const good = link.success && link.data.signature === sign(zoom, key, link.data.expires)
      if (!good || link.data.expires <= zoom.now()) return refuse(reply, 403, 'AccessDenied', 'Request has expired.')
      const found = findFile(zoom, key)
      if (!found) return refuse(reply, 404, 'NoSuchKey', 'The file does not exist.')
      return sendFile(zoom, request, reply, found)
    })
  }
}

function sendFile(zoom: Zoom, request: FastifyRequest, reply: FastifyReply, { recording, file }: FoundFile) {
  const isText = file.file_type === 'TRANSCRIPT'
  const path = isText ? '' : audioPath(file.audio)
  if (path === undefined) return refuse(reply, 404, 'NoSuchKey', 'The file does not exist.')
  const size = file.file_size
  const stamp = recording.start_time.replace(/[-:Z]/g, '').replace('T', '-')
  reply.headers({
    'content-type': typeOf(zoom, file),
    'content-disposition': `attachment; filename="GMT${stamp}_Recording.${isText ? 'transcript.vtt' : file.file_type.toLowerCase()}"`,
    etag: `"${file.id}"`,
  })

  const range = zoom.options.ranges ? parseRange(request, size, `"${file.id}"`) : undefined
  if (zoom.options.ranges) reply.header('accept-ranges', 'bytes')
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send()

  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.header('content-length', end - start + 1)
  const long = file.seconds === null ? null : new LongAudio(file.audio, file.seconds)
  const bytes = (from: number, to: number) => {
    if (isText) return [Buffer.from(file.text).subarray(from, to + 1)]
    return long?.read(from, to) ?? soundOf(path, from, to)
  }
  const half = Math.floor((start + end) / 2)
  if (stalledRequests.has(request)) return reply.send(Readable.from(andNoMore(bytes(start, half))))
  if (!truncatedRequests.has(request)) return reply.send(Readable.from(bytes(start, end)))
  reply.raw.on('finish', () => request.raw.socket.destroy())
  return reply.send(Readable.from(bytes(start, half)))
}

function typeOf({ options }: Zoom, { file_type }: CloudRecordingFile) {
  if (file_type === 'MP4') return 'video/mp4'
  const isPlain = options.file_content_type === 'application/octet-stream'
  return file_type === 'TRANSCRIPT' && !isPlain ? 'text/vtt' : options.file_content_type
}

/** Streams a byte range of a file that repeats the sound. */
async function* soundOf(path: string, start: number, end: number) {
  const sound = await readFile(path)
  for (let at = start; at <= end; ) {
    const from = at % sound.length
    const part = sound.subarray(from, Math.min(sound.length, from + end + 1 - at))
    at += part.length
    yield part
  }
}

async function* andNoMore(chunks: AsyncIterable<Buffer> | Iterable<Buffer>) {
  yield* chunks
  await new Promise(() => {})
}

/** Parses a single range. Several ranges or an invalid one yield the whole file, as the standard permits. */
function parseRange({ headers }: FastifyRequest, size: number, etag: string) {
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return undefined
  const range = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '')
  const [, first = '', last = ''] = range ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return last === '0' ? 'unsatisfiable' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size) return 'unsatisfiable'
  return end < start ? undefined : { start, end }
}

function findFile(zoom: Zoom, key: string): FoundFile | undefined {
  for (const recording of zoom.state.recordings) {
    const file = visibleFiles(recording).find((held) => held.key === key && held.status === 'completed')
    if (file) return { recording, file }
  }
  return undefined
}

/** API addresses accept the host's token or a download token; webhook addresses only the webhook's token. */
function mayRead(zoom: Zoom, request: FastifyRequest, recording: CloudRecording, kind: 'api' | 'webhook') {
  const { authorization } = request.headers
  const held = findAccessToken(zoom, authorization)
  if (kind === 'api' && held?.user_id === recording.host_id) return held.expires_at > zoom.now()
  const token = bearerOf(authorization)
  return zoom.state.download_tokens.some(
    (pass) =>
      pass.token === token &&
      pass.kind === kind &&
      pass.recording_key === recording.key &&
      pass.expires_at > zoom.now(),
  )
}

function signedLink(zoom: Zoom, { file }: FoundFile) {
  const expires = zoom.now() + HOUR_MS
  return `${zoom.fileOrigin}/file/${file.key}?expires=${expires}&signature=${sign(zoom, file.key, expires)}`
}

function sign(zoom: Zoom, key: string, expires: number) {
  return createHmac('sha256', zoom.linkKey).update(`${key} ${expires}`).digest('base64url')
}

/** Zoom answers a failed download with a page and status 200. */
function failedDownload(reply: FastifyReply) {
  return sendPage(
    reply,
    'Error',
    html`<h1>This recording does not exist</h1><p>It may have been deleted, or your sign-in has expired.</p>`,
  )
}

function refuse(reply: FastifyReply, status: number, code: string, message: string) {
  return reply
    .code(status)
    .type('application/xml')
    .send(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`)
}
