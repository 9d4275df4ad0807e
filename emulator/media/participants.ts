import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseInput, RestError } from '../rest.ts'
import { participantOfToken } from '../state/participant-token.ts'
import type { Zoom } from '../state/zoom.ts'
import { allowAnyOrigin, preflightRoute } from './cors.ts'
import type { SdkEvent } from './events.ts'
import { NotOggOpus } from './ogg-opus.ts'
import { Order } from './order.ts'
import { obey } from './orders.ts'
import type { MediaRoom } from './room.ts'
import type { Sound } from './sound.ts'
import { playSpeech } from './speech.ts'

const PING_MS = 3000

const Offer = z.object({ sdp: z.string() })
const Change = z.object({
  muted: z.boolean().optional(),
  audio: z.enum(['', 'computer', 'phone']).optional(),
  raiseHand: z.boolean().optional(),
})

type ByToken = { Params: { token: string } }

/** The protocol between Zoom and pages of the SDK's stand-in, which is the emulator's own. */
export function participantRoutes(zoom: Zoom, sound: Sound) {
  function present({ params }: { params: { token: string } }) {
    const uuid = participantOfToken(zoom, params.token)
    const found = uuid === null ? undefined : sound.find(uuid)
    if (uuid === null || !found) throw new RestError(404, 3001, 'That participant is not in a meeting.')
    return { ...found, uuid }
  }

  return async (app: FastifyInstance) => {
    allowAnyOrigin(app)
    preflightRoute(app)

    app.post<ByToken>('/sdk/participants/:token/offer', async (request) => {
      const { room, uuid } = present(request)
      return { sdp: await sound.connect(room, uuid, parseInput(Offer, request.body).sdp) }
    })

    app.post<ByToken>('/sdk/participants/:token/state', async (request) => {
      const { room, uuid } = present(request)
      const change = parseInput(Change, request.body)
      if (change.muted === false) requireUnmuting(room, uuid)
      room.update(uuid, change)
      return {}
    })

    app.post<ByToken>('/sdk/participants/:token/orders', async (request) => {
      const { room, uuid } = present(request)
      const isObeyed = obey(zoom, room, uuid, parseInput(Order, request.body))
      if (!isObeyed) throw new RestError(403, 3003, 'The participant is neither host nor co-host.')
      return {}
    })

    app.get<ByToken>('/sdk/participants/:token/events', (request, reply) => {
      const { room, uuid } = present(request)
      const send = openEventStream(request, reply)
      const close = sound.openPage(room, uuid, send)
      reply.raw.once('close', close)
    })

    app.addContentTypeParser(['application/ogg', 'audio/ogg'], (_request, body, done) => done(null, body))
    app.post<ByToken & { Body: AsyncIterable<Uint8Array> }>(
      '/sdk/participants/:token/speech',
      async (request, reply) => {
        const { room, uuid } = present(request)
        requireUnmuting(room, uuid)
        const stopped = new AbortController()
        reply.raw.once('close', () => stopped.abort())
        const frames = await playSpeech(sound, uuid, request.body, stopped.signal).catch((error) => {
          if (error instanceof NotOggOpus) throw new RestError(400, 300, 'The speech is not Ogg Opus.')
          if (request.raw.complete && !stopped.signal.aborted) throw error
          return 0 // the phone was muted, and ended the request
        })
        return { frames }
      },
    )
  }
}

function requireUnmuting(room: MediaRoom, uuid: string) {
  if (!room.mayUnmute(uuid)) throw new RestError(403, 3003, 'The host does not allow participants to unmute.')
}

/** Pings regularly, so that the page can detect a dead connection. */
function openEventStream(request: FastifyRequest, reply: FastifyReply): (event: SdkEvent) => void {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)])),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
  })
  raw.write('retry: 1000\n\n')
  request.raw.socket.setNoDelay(true)
  const send = (event: SdkEvent) => {
    raw.write(`data: ${JSON.stringify(event)}\n\n`)
    if (event.type === 'ended') raw.end()
  }
  const ping = setInterval(() => send({ type: 'ping' }), PING_MS).unref()
  raw.once('close', () => clearInterval(ping))
  return send
}
