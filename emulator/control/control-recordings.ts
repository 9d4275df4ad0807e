import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { removeRecording } from '../life/recording-life.ts'
import { sendWebhook } from '../life/webhooks.ts'
import type { Account } from '../state/state.ts'
import { zoomTime } from '../state/times.ts'
import type { Zoom } from '../state/zoom.ts'
import { NotFoundError } from './control-errors.ts'

/** Actions that a host has in Zoom's portal, but no API call offers. */
const Batch = z.strictObject({
  email: z.email(),
  action: z.enum(['trash', 'recover', 'delete']),
  uuids: z.array(z.string()).optional(), // default: all recordings of the host
})
const Rename = z.strictObject({
  email: z.email(),
  uuid: z.string(),
  topic: z.string(),
  form: z.enum(['example', 'schema']).default('example'), // Zoom's documents name the old topic in two ways
})
const Usage = z.strictObject({ email: z.email(), used_percentage: z.number().min(0) })

export function controlRecordingRoutes(zoom: Zoom, accountOf: (zoom: Zoom, email: string) => Account) {
  return async (app: FastifyInstance) => {
    app.post('/recordings/batch', async (request) => {
      const { email, action, uuids } = Batch.parse(request.body)
      const account = accountOf(zoom, email)
      const meant = zoom.state.recordings.filter(
        ({ host_id, uuid }) => host_id === account.id && (!uuids || uuids.includes(uuid)),
      )
      const operator = { operator: account.email, operator_id: account.id }
      const meetings = meant.map(({ uuid, files }) => ({
        meeting_uuid: uuid,
        recording_file_ids: files.map(({ id }) => id),
      }))
      if (action === 'trash') {
        for (const recording of meant) recording.deleted_time = zoomTime(zoom.now())
        const meeting_uuids = meant.map(({ uuid }) => uuid)
        const operation = 'trash_user_recordings'
        sendWebhook(zoom, account, 'recording.batch_trashed', { ...operator, operation, object: { meeting_uuids } })
      } else if (action === 'recover') {
        for (const recording of meant) recording.deleted_time = null
        sendWebhook(zoom, account, 'recording.batch_recovered', { ...operator, object: { meetings } })
      } else {
        for (const recording of meant) removeRecording(zoom, recording)
        sendWebhook(zoom, account, 'recording.batch_deleted', { ...operator, object: { meetings } })
      }
      return {}
    })

    app.post('/recordings/rename', async (request) => {
      const { email, uuid, topic, form } = Rename.parse(request.body)
      const account = accountOf(zoom, email)
      const recording = zoom.state.recordings.find((one) => one.uuid === uuid && one.host_id === account.id)
      if (!recording) throw new NotFoundError('There is no such recording.')
      const ids = { uuid, id: recording.meeting_id, type: recording.type, host_id: account.id }
      const before = { ...ids, topic: recording.topic }
      recording.topic = topic
      const after = { ...ids, topic }
      const objects =
        form === 'example' ? { object: before, recording_file: after } : { object: after, old_object: before }
      const operator = { operator: account.email, operator_id: account.id, time_stamp: String(zoom.now()) }
      sendWebhook(zoom, account, 'recording.renamed', { ...operator, ...objects })
      return {}
    })

    app.post('/storage', async (request) => {
      const { email, used_percentage } = Usage.parse(request.body)
      const object = {
        free_storage: '0 GB',
        plan_storage: '10 GB',
        plan_type: 'cmr_monthly_commitment_10',
        storage_used: `${used_percentage / 10} GB`,
        storage_used_percentage: used_percentage,
        storage_exceed: '0',
      }
      sendWebhook(zoom, accountOf(zoom, email), 'recording.cloud_storage_usage_updated', { object })
      return {}
    })
  }
}
