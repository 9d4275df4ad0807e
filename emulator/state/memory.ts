import { z } from 'zod'
import type { Account, StoredMeeting, ZoomSitting } from './state.ts'

/** The SDK's reasons for leaving; `transferred`: the same user has joined with another device. */
export const LEAVE_REASON = { other: 0, ended: 1, left: 2, transferred: 5, removed: 6, notAdmitted: 7 } as const
export type LeaveReason = (typeof LEAVE_REASON)[keyof typeof LEAVE_REASON]

/** A meeting that runs. */
export type LiveMeeting = { account: Account; meeting: StoredMeeting; sitting: ZoomSitting }

export type Consent = {
  redirect_uri: string
  state?: string | undefined
  code_challenge?: string | undefined
  code_challenge_method: 'plain' | 'S256'
  expires_at: number
}

/** A ZAK joins as the host; an OBF token joins once on the host's behalf. */
export type JoinToken = { user_id: string; expires_at: number } & (
  | { kind: 'zak' }
  | { kind: 'onbehalf'; meeting_id: number; isSpent: boolean }
)

export type WebhookDelivery = {
  event: string
  body: string
  attempts: { at: number; outcome: string }[]
  state: 'pending' | 'delivered' | 'refused' | 'lost'
}

export const NewFault = z.strictObject({
  match: z
    .strictObject({
      path: z.string().optional(), // excluding the query; `*` matches anything
      method: z.string().optional(),
      email: z.string().optional(), // the user who owns the token, code or refresh token
    })
    .default({}),
  kind: z.enum(['status', 'slow', 'html', 'xml', 'drop', 'truncate', 'stall']),
  status: z.int().min(200).max(599).optional(),
  code: z.int().optional(),
  message: z.string().optional(),
  error: z.string().optional(), // for OAuth errors, which have no code
  headers: z.record(z.string(), z.string()).default({}),
  delay_ms: z.int().min(0).default(0),
  times: z.int().min(0).default(1), // 0: until cleared
})
export type Fault = z.infer<typeof NewFault> & { id: number; hits: number }

/** State that need not survive a restart. */
type Memory = {
  consents: Map<string, Consent>
  codes: Map<string, Consent & { email: string }>
  calls: Map<string, { second: number; count: number }> // by account and class
  rateLimited: number // number of refused calls
  joinTokens: Map<string, JoinToken>
  appTokens: Map<string, number> // the app's own tokens, with their expiry
  mails: { to: string; about: string }[]
  pages: Map<string, { query: string; offset: number; expires_at: number }>
  faults: Fault[]
  deliveries: WebhookDelivery[]
  held: WebhookDelivery[]
  inFlight: Set<Promise<void>>
  unknownPaths: string[]
  leakedTokens: string[]
}

export const emptyMemory = (): Memory => ({
  consents: new Map(),
  codes: new Map(),
  calls: new Map(),
  rateLimited: 0,
  joinTokens: new Map(),
  appTokens: new Map(),
  mails: [],
  pages: new Map(),
  faults: [],
  deliveries: [],
  held: [],
  inFlight: new Set(),
  unknownPaths: [],
  leakedTokens: [],
})
