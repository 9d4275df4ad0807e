import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byteRange, readSlice } from '../../lib/byte-range.ts'
import { contentDisposition, fileNameOf } from './file-name.ts'
import { isMediaHost } from './media-hosts.ts'
import { parseMeetingId } from './parse-meeting-id.ts'
import type { RecordingRow } from './recording-index.ts'

const ZOOM = { ZOOM_OAUTH_URL: 'https://zoom.us', ZOOM_API_URL: 'https://api.zoom.us/v2' }
const OTHER = { ZOOM_OAUTH_URL: 'http://zoom.test:3001', ZOOM_API_URL: 'https://api.test/v2' }

describe('a recording may be fetched', () => {
  test.each([
    [ZOOM, 'https://zoom.us/rec/download/x'],
    [ZOOM, 'https://us04web.zoom.us/rec/download/x'],
    [ZOOM, 'https://ssrweb.zoom.us:443/x'],
    [OTHER, 'https://us04web.zoom.us/x'],
    [OTHER, 'http://zoom.test/x'],
    [OTHER, 'http://zoom.test:45678/x'],
    [OTHER, 'https://api.test:8443/x'],
  ])('with %j from %s', (config, url) => {
    expect(isMediaHost(config, new URL(url))).toBe(true)
  })
})

describe('a recording may not be fetched', () => {
  test.each([
    [ZOOM, 'http://zoom.us/x'],
    [ZOOM, 'https://zoom.us:22/x'],
    [ZOOM, 'https://zoom.us.evil.test/x'],
    [ZOOM, 'https://evilzoom.us/x'],
    [ZOOM, 'https://evil.test/zoom.us'],
    [ZOOM, 'https://zoom.us@evil.test/x'],
    [ZOOM, 'https://user:password@zoom.us/x'],
    [ZOOM, 'http://127.0.0.1/x'],
    [ZOOM, 'http://[::1]/x'],
    [ZOOM, 'http://169.254.169.254/latest'],
    [ZOOM, 'http://0x7f000001/x'],
    [ZOOM, 'http://localhost./x'],
    [ZOOM, 'file:///etc/passwd'],
    [ZOOM, 'http://zoom.test/x'],
    [OTHER, 'https://zoom.test/x'],
    [OTHER, 'http://api.test/x'],
    [OTHER, 'http://x.zoom.test/x'],
  ])('with %j from %s', (config, url) => {
    expect(isMediaHost(config, new URL(url))).toBe(false)
  })
})

test.each([
  [undefined, null],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=10-1000', { start: 10, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-10', null],
  ['bytes=0-1,5-6', null],
  ['bytes=-', null],
  ['items=0-1', null],
  ['bytes=1e3-', null],
])('Range: %s of 100 bytes is %j', (header, range) => {
  expect(byteRange(header, 100)).toEqual(range)
})

test('slices a stream however it is chunked, and closes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 9 })), fc.nat(40), fc.nat(40), async (chunks, start, more) => {
      const source = Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
      const whole = Buffer.concat(chunks)
      const end = start + more
      expect(await buffer(readSlice(source, { start, end }))).toEqual(whole.subarray(start, end + 1))
      expect(source.destroyed).toBe(true)
    }),
  )
})

describe('a file name', () => {
  const named = (topic: string, file_type = 'M4A') =>
    fileNameOf({ topic, file_type, started_at: new Date('2026-11-01T18:30:20Z') } as RecordingRow)

  test.each([
    ['Morning room', 'Morning room – 2026-11-01 18-30 UTC.m4a'],
    ['', 'Recording – 2026-11-01 18-30 UTC.m4a'],
    ['../../etc/passwd', '-..-etc-passwd – 2026-11-01 18-30 UTC.m4a'],
    ['a"b\r\nSet-Cookie: x', 'a-b Set-Cookie - x – 2026-11-01 18-30 UTC.m4a'],
    ['सुबह की सभा', 'सुबह की सभा – 2026-11-01 18-30 UTC.m4a'],
  ])('of the topic %j is %s', (topic, name) => {
    expect(named(topic)).toBe(name)
  })

  test('is a header that any client understands', () => {
    expect(contentDisposition('attachment', named('Café – अ'))).toBe(
      'attachment; filename="Caf_ - _ - 2026-11-01 18-30 UTC.m4a"; ' +
        "filename*=UTF-8''Caf%C3%A9%20%E2%80%93%20%E0%A4%85%20%E2%80%93%202026-11-01%2018-30%20UTC.m4a",
    )
  })

  test('never breaks its header, whatever the topic', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (topic) => {
        expect(contentDisposition('inline', named(topic))).toMatch(
          /^inline; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.~%!-]+$/,
        )
      }),
    )
  })
})

test.each([
  ['97763643886', '97763643886'],
  ['aDYlohsHRtCd4ii1uC2+hA==', 'aDYlohsHRtCd4ii1uC2+hA=='],
  ['/aB//cD+efghijklmnopqr==', '/aB//cD+efghijklmnopqr=='],
  ['%2FaB%2F%2FcD%2Befghijklmnopqr%3D%3D', '/aB//cD+efghijklmnopqr=='],
])('a path that names %s means the meeting %s', (segment, meeting) => {
  expect(parseMeetingId(segment)).toBe(meeting)
})

test.each(['../../users', '..%2F..%2Fusers', '%2e%2e', '', 'abc', '?x', 'x#', 'a b', '%', '%zz', '12\r\n3456789', '1'])(
  'a path that names %j is malformed',
  (segment) => {
    expect(() => parseMeetingId(segment)).toThrow(expect.objectContaining({ code: 'malformed' }))
  },
)
