import { z } from 'zod'
import { ZOOM_SCOPES } from '../shared/zoom-scopes.ts'

const flag = (initial: boolean) => z.boolean().default(initial)
const count = (initial: number) => z.number().min(0).default(initial)

/** For tests: where Zoom's behaviour varies or is not documented. */
export const Options = z.strictObject({
  /** The scopes that the next consent grants; by default all that the app requests. */
  scopes: z.array(z.string()).default(ZOOM_SCOPES.map(({ scope }) => scope)),
  coop: flag(false), // send Cross-Origin-Opener-Policy on the consent page, which cuts a popup from its opener
  drop_state: flag(false), // call back without `state`, as after an install from the Marketplace
  grace: flag(false), // accept a rotated refresh token once more
  app_account: z.string().nullable().default(null), // the account that owns the app; null: that of the first seeded user
  app_answers: flag(true), // answer users/me for the app itself, with a token of its own
  published: flag(true), // only a published app gets app_deauthorized
  access_token_seconds: count(3600),
  second_limits: flag(true), // refuse more calls a second than the account's plan allows
  daily_limit: count(100), // meeting creates and updates per user and UTC day
  list_days: z.int().min(1).optional(), // how far back from `to` a list of recordings reaches; a month as a rule
  processing_ms: count(2000), // from the end of a recorded meeting to recording.completed
  files_on_stop: flag(false), // a recording is there once it is stopped, not only once its meeting has ended
  sdk_dead_ms: count(10_000), // without a sign of a page for so long, it has left its meeting
  full_length: flag(false), // recordings play as long as they say
  ranges: flag(true), // whether the file host honours Range
  file_content_type: z.enum(['audio/mp4', 'application/octet-stream']).default('audio/mp4'),
  webhook_time_scale: count(1), // 1: retries after 5, 20 and 60 minutes; 0.001: after 0.3, 1.2 and 3.6 seconds
  webhook_hold: flag(false), // hold events until a test releases them in its own order
  webhook_copies: z.int().min(1).max(10).default(1),
  webhook_style: z.enum(['compact', 'pretty', 'escaped']).default('compact'),
  webhook_signature: z.enum(['good', 'wrong', 'old']).default('good'),
})
export type Options = z.infer<typeof Options>
