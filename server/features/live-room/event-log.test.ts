import { expect, test } from 'vitest'
import { EventLog } from './event-log.ts'

test('an event that is kept for those who come back keeps no more memory than its own bytes', () => {
  const log = new EventLog('epoch')
  const { frame } = log.append({ name: 'user-online', data: { user_id: 'café', is_online: true } })
  expect(frame.toString()).toContain('data: {"user_id":"café","is_online":true}\n\n')
  expect(frame.buffer.byteLength).toBe(frame.length)
})
