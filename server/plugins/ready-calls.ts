import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '../deps.ts'
import { bearerToken } from '../features/auth/guards.ts'
import { writePoll } from '../features/live-room/send-poll.ts'
import { answerStatus } from '../features/phones/ready-status.ts'
import { apiHeaders } from '../lib/api-headers.ts'
import type { AllowedHosts } from './allowed-hosts.ts'

const POLLS: Record<string, 'users' | 'online'> = {
  '/api/host/users': 'users',
  '/api/host/online-users': 'online',
}
const STATUS = '/api/mobile/status'

/** Leaves a call to the framework, as if it had never been looked at. */
export type Pass = () => void

/**
 * Answers polls and status calls ahead of the framework, where their session and their room are held here and nothing
 * has to be waited for. A console polls four times a second and a phone reports every few, so they are nearly all that a
 * server is asked, and the framework would be half of their cost. Whatever is not as plain as that is left to the route
 * of the same address, each refusal too.
 */
export function answerReadyCalls(
  deps: Pick<Deps, 'config' | 'sessions' | 'rooms' | 'log'>,
  allowedHosts: AllowedHosts,
): (request: IncomingMessage, response: ServerResponse, pass: Pass) => void {
  const headers = Object.entries(apiHeaders(deps.config)).flat()
  const isLogged = deps.log.level === 'debug' || deps.log.level === 'trace' // only the framework's calls are
  if (isLogged) return (_request, _response, pass) => pass()

  return (request, response, pass) => {
    const { method, url = '' } = request
    const list = method === 'GET' ? POLLS[url] : undefined
    if (!list && (method !== 'POST' || url !== STATUS)) return pass()
    const { host, authorization } = request.headers
    const token = allowedHosts.has(host) ? bearerToken(authorization) : null
    const session = token === null ? null : deps.sessions.findCached(token)
    const room = session?.host_id ? deps.rooms.ready(session.host_id) : null
    if (!session || !room) return pass()
    if (list && session.role === 'host') return writePoll(request, response, room[list], headers)
    if (!list && session.role === 'phone') return answerStatus(request, response, room, session, headers, pass)
    pass()
  }
}
