import type { FastifyReply, FastifyRequest } from 'fastify'

/** Runs `act` once the body has been read, or will not be any more. */
export function onBodyEnd({ raw: request }: FastifyRequest, { raw: response }: FastifyReply, act: () => void): void {
  const isIn = () => {
    request.off('end', isIn).off('close', isIn)
    response.off('finish', isIn)
    act()
  }
  request.once('end', isIn).once('close', isIn)
  response.once('finish', isIn) // a refusal, of a body that is not read
}
