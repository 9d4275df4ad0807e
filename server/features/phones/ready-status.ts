import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Failure, statusOf } from '../../../shared/errors.ts'
import { MobileStatus } from '../../../shared/mobile.ts'
import type { Pass } from '../../plugins/ready-calls.ts'
import type { Session } from '../auth/sessions.ts'
import type { LiveRoom } from '../live-room/live-room.ts'
import { serializeStatus } from './status-answer.ts'

const BUSY = JSON.stringify({
  success: false,
  message: 'The room is busy. Please try again.',
  code: 'busy',
} satisfies Failure)

/** The body of a status call is a few dozen bytes; what is larger comes in pieces. */
const SMALL = 4_096

/** Answers a phone's status call whose body is small, arrives whole and is right; any other is left to the route. */
export function answerStatus(
  request: IncomingMessage,
  response: ServerResponse,
  room: LiveRoom,
  { room_user_id }: Session,
  headers: string[],
  pass: Pass,
): void {
  const id = room_user_id ?? room.hostId
  const length = Number(request.headers['content-length'])
  const isSmall = length > 0 && length <= SMALL
  if (!isSmall || request.headers['content-type'] !== 'application/json' || !room.isOnline(id)) {
    pass()
    return
  }

  request.once('data', (bytes: Buffer) => {
    const said = bytes.length === length ? read(bytes) : null
    if (!said) {
      request.pause()
      request.unshift(bytes)
      return pass()
    }
    room.status(id, said.data).then(
      (data) => {
        if (data) write(response, 200, headers, serializeStatus({ success: true, data }))
        else response.destroy() // removed this very moment: asked again, the route says so
      },
      () => write(response, statusOf.busy, headers, BUSY),
    )
  })
}

function write(response: ServerResponse, status: number, headers: string[], text: string): void {
  const own = ['content-type', 'application/json; charset=utf-8', 'content-length', String(text.length)]
  response.writeHead(status, [...headers, ...own]).end(text)
}

function read(bytes: Buffer): { data: ReturnType<typeof MobileStatus.parse> } | null {
  try {
    const { data, success } = MobileStatus.safeParse(JSON.parse(bytes.toString()))
    return success ? { data } : null
  } catch {
    return null
  }
}
