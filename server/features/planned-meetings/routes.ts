import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { findCalendarLink } from './calendar/calendar-links.ts'
import {
  addPlannedMeeting,
  editPlannedMeeting,
  findNextMeeting,
  listPlannedMeetings,
  removePlannedMeeting,
} from './planned-meetings.ts'

const NOT_FOUND = 'Planned meeting not found'
const WRITES = { rateLimit: { max: 60 } }

export const plannedMeetingRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get('/host/planned-meetings', { schema: api.listPlannedMeetings }, async (request) => {
      const by = signedInHost(request)
      const planned_meetings = await listPlannedMeetings(deps, by)
      const next_meeting = await findNextMeeting(deps, by.host_id)
      const calendar_link_made_at = await findCalendarLink(deps, by)
      return { success: true as const, data: { planned_meetings, next_meeting, calendar_link_made_at } }
    })

    app.post('/host/planned-meetings', { schema: api.planMeeting, config: WRITES }, async (request) => {
      const planned_meeting = await addPlannedMeeting(deps, signedInHost(request), request.body)
      return { success: true as const, message: 'Meeting planned', data: { planned_meeting } }
    })

    app.put('/host/planned-meetings/:id', { schema: api.editPlannedMeeting, config: WRITES }, async (request) => {
      const id = uuidOr404(request.params.id, NOT_FOUND)
      const planned_meeting = await editPlannedMeeting(deps, signedInHost(request), id, request.body)
      return { success: true as const, message: 'Planned meeting saved', data: { planned_meeting } }
    })

    app.delete('/host/planned-meetings/:id', { schema: api.removePlannedMeeting }, async (request) => {
      const id = uuidOr404(request.params.id, NOT_FOUND)
      await removePlannedMeeting(deps, signedInHost(request), id, request.body?.expect)
      return { success: true as const, message: 'Planned meeting removed' }
    })
  }
