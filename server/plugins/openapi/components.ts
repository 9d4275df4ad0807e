import { z } from 'zod'
import { AppInfo } from '../../../shared/app-info.ts'
import { MasterUser } from '../../../shared/auth.ts'
import { Failure } from '../../../shared/errors.ts'
import { Host } from '../../../shared/hosts.ts'
import { LiveState, MobileApp, MobileRoom, MobileUser } from '../../../shared/mobile.ts'
import { Recording } from '../../../shared/recordings.ts'
import { ROOM_EVENT_NAMES, RoomEvents } from '../../../shared/room-events.ts'
import { BulkOutcome, Delivery, RoomUser } from '../../../shared/room-users.ts'
import { Room } from '../../../shared/rooms.ts'
import { Subscription } from '../../../shared/subscriptions.ts'

/** Schemas that become named components of the document; all others are inlined. */
const NOUNS: Record<string, z.ZodType> = {
  Failure,
  Host,
  MasterUser,
  Subscription,
  Room,
  RoomUser,
  Delivery,
  BulkOutcome,
  Recording,
  AppInfo,
  MobileUser,
  MobileRoom,
  MobileApp,
  LiveState,
}

export function registerSchemas(): void {
  for (const [id, schema] of Object.entries(NOUNS)) z.globalRegistry.add(schema, { id })
  for (const name of ROOM_EVENT_NAMES) z.globalRegistry.add(RoomEvents[name], { id: eventName(name), title: name })
}

/** `user-online` becomes `EventUserOnline`. */
function eventName(name: string): string {
  return ['event', ...name.split('-')].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

const token = (role: string) => ({
  type: 'http' as const,
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: `The token of a signed-in ${role}.`,
})

export const SECURITY_SCHEMES = {
  master: token('master'),
  host: token('host'),
  manager: token('manager'),
  moderator: token('moderator'),
  phone: token('phone'),
}

export const HEADERS = {
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'string' as const }, example: '2' },
  ETag: { description: 'The version of this list.', schema: { type: 'string' as const }, example: '"7f-412"' },
}

export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header' as const,
    required: false,
    description: 'A repeat with the same key within a day gets the first answer and has no second effect.',
    schema: { type: 'string' as const, minLength: 1, maxLength: 200 },
    example: '5b0c5d3e-6a51-4a8b-9a53-3f0d0f4f9c11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header' as const,
    required: false,
    description: 'The `ETag` of the version that the client has.',
    schema: { type: 'string' as const },
    example: '"7f-412"',
  },
  Range: {
    name: 'Range',
    in: 'header' as const,
    required: false,
    description: 'The requested part of the file.',
    schema: { type: 'string' as const },
    example: 'bytes=0-65535',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header' as const,
    required: false,
    description: 'The `id` of the last event received. Browsers send it automatically.',
    schema: { type: 'string' as const },
    example: '7f-12',
  },
}
