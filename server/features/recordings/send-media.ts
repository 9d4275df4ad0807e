import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { byteRange, readSlice } from '../../lib/byte-range.ts'
import type { OpenCopy } from './archive/archive-file.ts'
import { contentDisposition, fileNameOf } from './file-name.ts'
import type { MediaKind } from './media-links.ts'
import type { RecordingRow } from './recording-index.ts'

/** Streams Zoom's bytes at the reader's speed, under our own name and type. */
export function sendMedia(
  reply: FastifyReply,
  row: RecordingRow,
  kind: MediaKind,
  answer: IncomingMessage,
  range: string | undefined,
): FastifyReply {
  setHeaders(reply, row, kind)
  return reply.send(bodyOf(reply, answer, range))
}

/** Closes the file with the reply. */
export function sendCopy(
  reply: FastifyReply,
  row: RecordingRow,
  kind: MediaKind,
  { handle, size }: OpenCopy,
  rangeHeader: string | undefined,
): FastifyReply {
  setHeaders(reply, row, kind)
  const range = byteRange(rangeHeader, size)
  if (range === 'unsatisfiable') {
    void handle.close()
    return reply.code(416).header('content-range', `bytes */${size}`).send()
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.headers({ 'accept-ranges': 'bytes', 'content-length': end - start + 1 })
  return reply.send(handle.createReadStream({ start, end }))
}

function setHeaders(reply: FastifyReply, row: RecordingRow, kind: MediaKind): void {
  reply.headers({
    'content-type': row.file_type === 'MP4' ? 'video/mp4' : 'audio/mp4',
    'content-disposition': contentDisposition(kind === 'download' ? 'attachment' : 'inline', fileNameOf(row)),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  })
}

/** Cuts out the range if Zoom's host ignored the Range header and sent the whole file. */
function bodyOf(reply: FastifyReply, answer: IncomingMessage, rangeHeader: string | undefined): Readable | undefined {
  const { statusCode, headers } = answer
  if (statusCode === 416) return unsatisfiable(reply, answer, headers['content-range'])
  const length = headers['content-length']
  if (length) reply.header('content-length', length)
  if (length || statusCode === 206) reply.header('accept-ranges', 'bytes')
  if (statusCode === 206) {
    reply.code(206).header('content-range', headers['content-range'])
    return answer
  }
  const size = Number(length)
  const range = length ? byteRange(rangeHeader, size) : null
  if (range === null) return answer
  if (range === 'unsatisfiable') return unsatisfiable(reply, answer, `bytes */${size}`)
  reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.header('content-length', range.end - range.start + 1)
  return readSlice(answer, range)
}

function unsatisfiable(reply: FastifyReply, answer: IncomingMessage, range: string | undefined): undefined {
  answer.destroy()
  reply.code(416).removeHeader('content-length')
  if (range) reply.header('content-range', range)
}
