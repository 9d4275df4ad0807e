import { IGNORED, type WebhookHandler } from '../../zoom/webhook-event.ts'
import { recordingWebhookHandlers } from '../recordings/zoom-events.ts'
import { roomWebhookHandlers } from '../rooms/zoom-events.ts'
import { appDeauthorized } from './deauthorize.ts'
import { storageUsageUpdated } from './zoom-events.ts'

/** Events may come twice and in any order. */
const webhookHandlers: Record<string, WebhookHandler> = {
  ...roomWebhookHandlers,
  ...recordingWebhookHandlers,
  'recording.cloud_storage_usage_updated': storageUsageUpdated,
  app_deauthorized: appDeauthorized,
}

/** What the app at Zoom has to subscribe to. */
export const ZOOM_EVENTS = Object.keys(webhookHandlers)

/** Others, such as waiting rooms, chats and transcripts, are answered and not stored. */
export function isHandled(event: string): boolean {
  return Object.hasOwn(webhookHandlers, event)
}

export const handleEvent: WebhookHandler = async (deps, tx, event) =>
  webhookHandlers[event.event]?.(deps, tx, event) ?? IGNORED
