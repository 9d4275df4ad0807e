import { describe, expect, test } from 'vitest'
import { SOUND_OFF } from '../../meeting/messages.ts'
import { FieldLog } from './field-log.ts'
import { writeReport } from './write-report.ts'

const AT = new Date('2026-11-27T18:05:00Z')
const user_id = 'f6b0f4a5-5c9f-4c55-9d3a-6b1d2a0f1a11'

describe('the field report of a phone', () => {
  test('says what happened, in its order, with codes and times', () => {
    const log = new FieldLog()
    log.noteTicket({ role: 0, sdk_version: '6.2.0' })
    log.noteSound({ ...SOUND_OFF, audio: 'lost', trouble: 'refused', zoom_code: 4011 }, SOUND_OFF)
    log.noteEvent({ name: 'user-mute-status', data: { user_id, is_muted: true, by: 'host' } })
    for (let count = 0; count < 3; count++) log.note('Zoom: onActiveSpeaker')
    log.measured('command to silence', 41.6)
    log.measured('command to silence', 12)

    const text = writeReport(log, AT)
    expect(text).toMatch(/^Field report of a phone\n=+\nMade on 2026-11-27 18:05:00 UTC\./)
    expect(text).toContain('Meeting SDK for Web 6.2.0')
    expect(text).toContain(`Browser ${navigator.userAgent}`)
    expect(text).toContain('command to silence: 42, 12')
    const happened = text.match(/^ +\d+\.\d\d {2}.*$/gm)?.map((line) => line.replace(/^ +\d+\.\d\d {2}/, ''))
    expect(happened).toEqual([
      'ticket as guest',
      'audio: off to lost',
      'trouble: none to refused',
      'zoom_code: none to 4011',
      'Parley: user-mute-status is_muted true',
      'Zoom: onActiveSpeaker (3 times)',
    ])
  })

  test('names nobody, whatever the event holds', () => {
    const log = new FieldLog()
    log.noteEvent({ name: 'user-mute-status', data: { user_id, is_muted: false, by: 'Anita', by_name: 'Anita Rao' } })
    log.noteSound({ ...SOUND_OFF, speaking: ['Amina Yusuf'], people: 3 }, SOUND_OFF)
    const text = writeReport(log, AT)
    for (const secret of [user_id, 'Anita', 'Amina']) expect(text).not.toContain(secret)
    expect(text).toContain('Parley: user-mute-status is_muted false')
  })

  test('keeps the newest, however much happens', () => {
    const log = new FieldLog()
    for (let count = 0; count < 5_000; count++) {
      log.note(`Zoom: event ${count}`)
      log.measured('join to sound', count)
    }
    const text = writeReport(log, AT)
    expect(text).toContain('Zoom: event 4999')
    expect(text).not.toContain('Zoom: event 4000\n')
    expect(text.length).toBeLessThan(40_000)
  })

  test('is made before anything has happened, too', () => {
    const text = writeReport(new FieldLog(), AT)
    expect(text).toContain('Meeting SDK for Web not loaded yet')
    expect(text).toContain('Times in milliseconds\n---------------------\nnone\n')
  })
})
