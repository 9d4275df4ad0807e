import { ApiError, messageOf } from '../../lib/api-client.ts'

/** Explains by cause why a recording could not be deleted. */
export function deleteFailure(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 404) return 'Recording not found - it may have been already deleted'
    if (error.status === 0) return 'Failed to delete recording: Network error. Please try again.'
    if (error.status === 401 || error.status === 403)
      return 'Zoom authorization failed. Please reconnect Zoom and try again.'
  }
  return `Failed to delete recording: ${messageOf(error, 'The server could not do it. Please try again.')}`
}
