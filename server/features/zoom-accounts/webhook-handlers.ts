import { IGNORED, type WebhookHandler } from '../../zoom/webhook-event.ts'
import { recordingWebhookHandlers } from '../recordings/zoom-events.ts'
import { roomWebhookHandlers } from '../rooms/zoom-events.ts'
import { appDeauthorized } from './deauthorize.ts'
import { storageUsageUpdated } from './zoom-events.ts'

/** Must tolerate events that come twice and in any order. */
const webhookHandlers: Record<string, WebhookHandler> = {
  ...roomWebhookHandlers,
  ...recordingWebhookHandlers,
  'recording.cloud_storage_usage_updated': storageUsageUpdated,
  app_deauthorized: appDeauthorized,
}

/** The events to which the app at Zoom has to subscribe. */
export const ZOOM_EVENTS = Object.keys(webhookHandlers)

/** Other events, such as those of waiting rooms and chats, are answered but not stored. */
export function isHandled(event: string): boolean {
  return Object.hasOwn(webhookHandlers, event)
}

export const handleEvent: WebhookHandler = async (deps, tx, event) =>
  webhookHandlers[event.event]?.(deps, tx, event) ?? IGNORED
