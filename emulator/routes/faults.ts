import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { html, sendPage } from '../pages/page.ts'
import type { Fault } from '../state/memory.ts'
import { findAccessToken } from '../state/tokens.ts'
import type { Zoom } from '../state/zoom.ts'

/** Requests whose download breaks off or stalls half-way. */
export const truncatedRequests = new WeakSet<FastifyRequest>()
export const stalledRequests = new WeakSet<FastifyRequest>()

/** Applies the first matching fault; a slow one only delays the call. */
export async function applyFault(zoom: Zoom, request: FastifyRequest, reply: FastifyReply) {
  const fault = takeFault(zoom, request)
  if (!fault) return
  if (fault.delay_ms > 0) await wait(fault.delay_ms, undefined, { ref: false })

  reply.headers(fault.headers)
  switch (fault.kind) {
    case 'slow':
      return
    case 'drop':
      request.raw.socket.destroy()
      return reply.hijack()
    case 'truncate':
      truncatedRequests.add(request)
      return
    case 'stall':
      stalledRequests.add(request)
      return
    case 'html':
      return sendPage(reply.code(fault.status ?? 200), 'Zoom', html`<h1>Something went wrong</h1>`)
    case 'xml':
      reply.code(fault.status ?? 500).type('application/xml')
      return reply.send(`<error><reason>${fault.message ?? 'System busy'}</reason></error>`)
    case 'status':
      reply.code(fault.status ?? 500)
      return reply.send(fault.error === undefined ? restBody(fault) : oauthBody(fault))
  }
}

const restBody = ({ code, status = 500, message = 'Injected fault.' }: Fault) => ({ code: code ?? status, message })

const oauthBody = ({ error, message = 'Injected fault.' }: Fault) => ({ reason: message, error })

function takeFault(zoom: Zoom, request: FastifyRequest) {
  const path = request.url.split('?', 1)[0] ?? ''
  if (zoom.memory.faults.length === 0 || path.startsWith('/_emulator')) return undefined
  if (request.method === 'OPTIONS') return undefined // a browser's question ahead of the call itself
  const email = callerEmail(zoom, request)
  const fault = zoom.memory.faults.find(({ match, times, hits }) => {
    if (times > 0 && hits >= times) return false
    if (match.path !== undefined && !pattern(match.path).test(path)) return false
    if (match.method !== undefined && match.method.toUpperCase() !== request.method) return false
    return match.email === undefined || match.email.toLowerCase() === email?.toLowerCase()
  })
  if (fault) fault.hits += 1
  return fault
}

const pattern = (path: string) => new RegExp(`^${path.split('*').map(RegExp.escape).join('.*')}$`)

const TokenBody = z.object({ refresh_token: z.string().optional(), code: z.string().optional() }).catch({})

function callerEmail(zoom: Zoom, request: FastifyRequest) {
  const { refresh_token, code } = TokenBody.parse(request.body)
  const held =
    findAccessToken(zoom, request.headers.authorization) ??
    zoom.state.refresh_tokens.find((refresh) => refresh.token === refresh_token)
  return held ? zoom.accountById(held.user_id)?.email : zoom.memory.codes.get(code ?? '')?.email
}
