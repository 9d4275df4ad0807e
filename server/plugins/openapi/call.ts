import type { z } from 'zod'
import type { ErrorCode } from '../../../shared/errors.ts'
import type { PARAMETERS } from './components.ts'

/** The chapters of the documentation, in the order in which they are shown. */
export const TAGS = {
  'Signing in': 'Sessions of masters and hosts. A token goes into the `Authorization` header of every other call.',
  Hosts: 'Host accounts, as the master keeps them.',
  Subscriptions: 'The paid term of a host, and every change of it.',
  'Zoom accounts': "Connecting a host's own Zoom account, and what Zoom reports back.",
  Profile: 'What a host sees and does about itself, its room and its app.',
  'Room users': 'The people whom a host lets into its room.',
  'Live control': 'Who is online, who is muted, and what happens in the room right now.',
  Recordings: "The recordings of the host's own room.",
  Records: 'Who did what, and who was there when.',
  Phones: 'What the phone app calls.',
  Operation: 'For whoever runs the server.',
} as const
export type Tag = keyof typeof TAGS

interface Parameter {
  example: string | number | boolean
  description?: string
}

/** What the documentation says of a call beyond its schemas. Its examples are held against those by a test. */
export interface Call {
  tag: Tag
  /** The operationId: the name that a generated client gives the call. */
  name: string
  summary: string
  description?: string
  /** Who may call it, where the roles do not say it. */
  who?: string
  /** Examples of what stands in the path and the query, by name. */
  parameters?: Record<string, Parameter>
  /** An example of the body. Left out for a call that reads none. */
  body?: unknown
  /** An example of the answer; none where it has no body of JSON. */
  answer?: unknown
  /** Failures that do not follow from who may call, the body, the path and the query. */
  failures?: readonly ErrorCode[]
  /** What the route states no schema for, since it answers ready bytes or reads raw ones. */
  schemas?: { body?: z.ZodType; answer?: z.ZodType; querystring?: z.ZodType }
  /** An answer that is not JSON with status 200. */
  special?: { status?: number; description: string; type?: string; location?: string }
  /** Answers beside it that are no failures. */
  also?: Record<number, string>
  /** Headers that the call reads, by their names in the components. */
  reads?: readonly (keyof typeof PARAMETERS)[]
}

/** By method and path below `/api`, as the routes write it. */
export type Calls = Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, Call>
