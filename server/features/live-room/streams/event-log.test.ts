import { expect, test } from 'vitest'
import { EventLog } from './event-log.ts'

test('an event in the log retains only its own bytes', () => {
  const log = new EventLog('epoch')
  const { frame } = log.append({
    id: 'epoch-1',
    seq: 1,
    event: { name: 'user-online', data: { user_id: 'café', is_online: true } },
  })
  expect(frame.toString()).toContain('data: {"user_id":"café","is_online":true}\n\n')
  expect(frame.buffer.byteLength).toBe(frame.length)
})
