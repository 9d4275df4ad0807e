import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { invalidFields, MeetingNumber, parseInput, RestError } from '../rest.ts'
import { appOwner, isAppToken } from '../state/app-owner.ts'
import { newJoinToken } from '../state/join-tokens.ts'
import type { Account } from '../state/state.ts'
import { zoomTime } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'
import { authorize, requireOwnUserId } from './authorize.ts'
import { findMeeting } from './meetings.ts'

const YEAR_SECONDS = 365 * 24 * 3600

type ByUser = { Params: { userId: string } }

const TokenQuery = z.object({
  type: z.enum(['token', 'zak', 'onbehalf']).default('token'),
  ttl: z.coerce.number().int().min(0).max(YEAR_SECONDS).default(7200),
  meeting_id: MeetingNumber.optional(),
})

export function userRoutes(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.get<ByUser>('/users/:userId', async (request, reply) => {
      const isApp = zoom.options.app_answers && isAppToken(zoom, request.headers.authorization)
      const account = isApp ? appOwner(zoom) : authorize(zoom, request, reply, 'user:read:user')
      requireOwnUserId(request.params.userId)
      return profile(zoom, account)
    })

    app.get<ByUser>('/users/:userId/settings', async (request, reply) => {
      const account = authorize(zoom, request, reply, 'user:read:settings', 'Medium')
      requireOwnUserId(request.params.userId)
      return portalSettings(account)
    })

    app.get<ByUser>('/users/:userId/token', async (request, reply) => {
      const account = authorize(zoom, request, reply, 'user:read:token')
      requireOwnUserId(request.params.userId)
      const { type, meeting_id, ttl: seconds } = parseInput(TokenQuery, request.query)
      if (type === 'token') throw new RestError(400, 300, 'This token type is no longer supported, use the zak type.')
      if (type === 'zak') return { token: newJoinToken(zoom, account, { kind: 'zak', seconds }) }
      // Zoom only checks that the host is in the meeting when the token is used.
      if (meeting_id === undefined) throw invalidFields('meeting_id')
      const { id } = findMeeting(zoom, account, meeting_id)
      return { token: newJoinToken(zoom, account, { kind: 'onbehalf', meeting_id: id, seconds }) }
    })
  }
}

function profile(zoom: Zoom, account: Account) {
  const [first_name = '', ...rest] = account.display_name.split(' ')
  const pmi = account.pmi === null ? {} : { pmi: account.pmi, personal_meeting_url: `${zoom.origin}/j/${account.pmi}` }
  return {
    id: account.id,
    account_id: account.account_id,
    account_number: account.account_number,
    email: account.email,
    first_name,
    last_name: rest.join(' '),
    display_name: account.display_name,
    type: account.type,
    role_name: 'Owner',
    role_id: '0',
    status: 'active',
    verified: 1,
    ...pmi,
    use_pmi: false,
    vanity_url: '',
    timezone: account.timezone,
    language: 'en-US',
    cluster: 'us04',
    user_created_at: account.created_at,
    last_login_time: zoomTime(zoom.now()),
    pic_url: '',
    jid: `${account.id.toLowerCase()}@xmpp.zoom.us`,
    phone_numbers: [],
    login_types: [1],
    group_ids: [],
    dept: '',
    plan_united_type: '1',
  }
}

function portalSettings({ settings }: Account) {
  return {
    recording: {
      cloud_recording: settings.cloud_recording,
      record_audio_file: settings.record_audio_file,
      auto_recording: settings.auto_recording,
      host_pause_stop_recording: settings.host_pause_stop_recording,
      auto_delete_cmr: false,
      auto_delete_cmr_days: 30,
      cloud_recording_permanently_deleted: false,
      record_speaker_view: false,
      record_gallery_view: false,
      recording_audio_transcript: settings.recording_audio_transcript,
    },
    schedule_meeting: {
      audio_type: 'both',
      join_before_host: false,
      use_pmi_for_scheduled_meetings: false,
      require_password_for_pmi_meetings: 'all',
      default_password_for_scheduled_meetings: '',
      meeting_password_requirement: {
        length: 0,
        have_letter: false,
        have_number: false,
        have_special_character: false,
      },
    },
    in_meeting: { waiting_room: false },
  }
}
