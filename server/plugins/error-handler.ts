import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import type { ErrorCode, Failure } from '../../shared/errors.ts'
import type { FieldError } from '../../shared/phone/failure.ts'
import { isDatabaseGone } from '../db/client.ts'
import { AppError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyReply {
    failure: ErrorCode | null
  }
}

/** Fastify's own errors. */
const FASTIFY_CODES: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['not_json', 'Please send JSON.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'This is too large.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed', 'The body does not match its Content-Length.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['malformed', 'The body is not valid JSON.'],
  FST_ERR_BAD_URL: ['malformed', 'This address is malformed.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is nothing here.'],
}

/** Errors of Node's HTTP parser, which occur before there is a request. */
const PARSER_ERRORS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
}

/** Sends AppErrors as they are; everything else becomes an anonymous 500. */
export function handleErrors(app: FastifyInstance, headers: Record<string, string>): void {
  app.decorateReply('failure', null)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    reply.headers({ ...headers, 'x-request-id': request.id }) // a page's URL, or a poll, has no API headers yet
    const known = asAppError(error)
    if (known) return sendFailure(reply, known)
    request.log.error({ err: error, reqId: request.id }, 'request.failed')
    return sendInternal(request, reply)
  })
}

/** Sets the headers here, because a URL that the router cannot parse reaches no hook. */
export function refuseMalformedUrls(headers: Record<string, string>) {
  return (error: FastifyError, { id }: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ ...headers, 'x-request-id': id })
    sendFailure(reply, asAppError(error) ?? new AppError('malformed', 'This address is malformed.'))
  }
}

export function refuseMalformedRequests(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = PARSER_ERRORS[error.code] ?? ['400 Bad Request', 'This request is malformed.']
  const body = JSON.stringify({ success: false, message } satisfies Failure)
  const type = 'content-type: application/json; charset=utf-8\r\nx-content-type-options: nosniff'
  const head = ['connection: close', 'cache-control: no-store', type, `content-length: ${body.length}`]
  head.push(`x-request-id: ${randomUUID()}`)
  socket.end(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

export function sendFailure(reply: FastifyReply, error: AppError): FastifyReply {
  const body: Failure = { success: false, message: error.message, code: error.code, ...error.details }
  reply.failure = error.code
  if (error.errors) body.errors = error.errors
  if (error.reason) body.reason = error.reason
  if (error.hostPresence) body.host_presence = error.hostPresence
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  else if (error.status === 503) reply.header('retry-after', '2')
  return reply.code(error.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

function sendInternal(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body: Failure = {
    success: false,
    message: 'Something went wrong on our side. Please try again.',
    code: 'internal',
    request_id: request.id,
  }
  return reply.code(500).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

function asAppError(error: FastifyError): AppError | null {
  if (error instanceof AppError) return error
  if (hasZodFastifySchemaValidationErrors(error)) return invalidInput(error.validation)
  if (isResponseSerializationError(error)) return null
  const refused = FASTIFY_CODES[error.code]
  if (refused) return new AppError(refused[0], refused[1])
  if (isDatabaseGone(error)) return new AppError('not_ready', 'The database cannot be reached right now.')
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new AppError('malformed', 'This request is malformed.')
  return null
}

function invalidInput(issues: { instancePath: string; message?: string }[]): AppError {
  const errors: FieldError[] = issues.map(({ instancePath, message }) => ({
    path: instancePath.split('/').filter(Boolean).join('.'),
    msg: message ?? 'Invalid value',
  }))
  return new AppError('invalid_input', errors[0]?.msg ?? 'Invalid input', { errors })
}
