import { z } from 'zod'
import { ZOOM_SCOPES } from '../../shared/zoom-scopes.ts'

const flag = (initial: boolean) => z.boolean().default(initial)
const count = (initial: number) => z.number().min(0).default(initial)

/** Test switches for behaviour of Zoom that varies or is not documented. */
export const ZoomBehaviour = z.strictObject({
  /** The scopes that the next consent grants; by default all requested ones. */
  scopes: z.array(z.string()).default(ZOOM_SCOPES.map(({ scope }) => scope)),
  coop: flag(false), // send Cross-Origin-Opener-Policy on the consent page, which cuts a popup from its opener
  drop_state: flag(false), // call back without `state`, as after an install from the Marketplace
  grace: flag(false), // accept a rotated refresh token once more
  app_account: z.string().nullable().default(null), // the account that owns the app; null: the first seeded user's
  app_answers: flag(true), // answer users/me for the app itself, with its own token
  published: flag(true), // only a published app gets app_deauthorized
  access_token_seconds: count(3600),
  second_limits: flag(true), // enforce the per-second limits of the account's plan
  daily_limit: count(100), // meeting creates and updates per user and UTC day
  list_days: z.int().min(1).optional(), // days before `to` that a list of recordings covers; a month by default
  processing_ms: count(2000), // from the end of a recorded meeting to recording.completed
  files_on_stop: flag(false), // make a recording available once it stops, not only after the meeting
  host_twice: z.enum(['both', 'transfer', 'refuse']).default('both'), // a host who joins with a second device
  host_left: z.enum(['cohost', 'nobody', 'guest']).default('cohost'), // who becomes host when the host leaves
  speakers_need_audio: flag(false), // name no speakers to pages that have not joined the audio
  sdk_dead_ms: count(10_000), // a page with no sign of life for this long has left its meeting
  full_length: flag(false), // make recordings play for their stated duration
  ranges: flag(true), // support Range at the file host
  file_content_type: z.enum(['audio/mp4', 'application/octet-stream']).default('audio/mp4'),
  webhook_time_scale: count(1), // 1: retries after 5, 20 and 60 minutes; 0.001: after 0.3, 1.2 and 3.6 seconds
  webhook_hold: flag(false), // hold events until a test releases them in its chosen order
  webhook_copies: z.int().min(1).max(10).default(1),
  webhook_style: z.enum(['compact', 'pretty', 'escaped']).default('compact'),
  webhook_signature: z.enum(['good', 'wrong', 'old']).default('good'),
})
export type ZoomBehaviour = z.infer<typeof ZoomBehaviour>
