import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { editMeetingNote } from './note.ts'
import { readReport } from './report.ts'
import { findReportedRoom, listSummaries } from './summaries.ts'

export const meetingReportRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get(
      '/host/meetings',
      { schema: api.listPastMeetings, config: { rateLimit: { max: 120 } } },
      async (request) => {
        const room = await findReportedRoom(deps, signedInHost(request))
        const { meetings, has_more } = await listSummaries(deps, room, request.query.before)
        return { success: true as const, data: { has_zoom: room.has_zoom, meetings, has_more } }
      },
    )

    app.get(
      '/host/meetings/:id',
      { schema: api.getMeetingReport, exposeHeadRoute: false, config: { rateLimit: { max: 120 } } },
      async (request) => {
        const room = await findReportedRoom(deps, signedInHost(request))
        return { success: true as const, data: await readReport(deps, room, request.params.id) }
      },
    )

    app.put(
      '/host/meetings/:id/note',
      {
        schema: api.editMeetingNote,
        config: { rateLimit: { max: 20 } }, // each can add 4 KB to the audit
      },
      async (request) => {
        const note = await editMeetingNote(deps, signedInHost(request), request.params.id, request.body)
        return { success: true as const, message: note === null ? 'Note removed' : 'Note saved', data: { note } }
      },
    )
  }
