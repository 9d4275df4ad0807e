import { describe, expect, test } from 'vitest'
import { parseWebVtt } from './parse-webvtt.ts'

const file = (...blocks: string[]) => `WEBVTT\n\n${blocks.join('\n\n')}\n`
const line = (text: string, at = 1) => `${at}\n00:00:0${at}.000 --> 00:00:0${at}.900\n${text}`
const read = (...blocks: string[]) => parseWebVtt(file(...blocks))
const words = (...blocks: string[]) => read(...blocks)?.cues.map((cue) => cue.words)

test('reads Zoom’s file: numbered lines with the speaker’s name', () => {
  const zooms =
    'WEBVTT\r\n\r\n1\r\n00:00:01.000 --> 00:00:04.000\r\nAna Lima: Good evening.\r\n\r\n2\r\n01:02:03.004 --> 01:02:05.000\r\nKim: One thing: it works.\r\n'
  expect(parseWebVtt(zooms)).toEqual({
    cues: [
      { start_ms: 1000, end_ms: 4000, speaker: 'Ana Lima', words: 'Good evening.' },
      { start_ms: 3_723_004, end_ms: 3_725_000, speaker: 'Kim', words: 'One thing: it works.' },
    ],
    skipped_at_ms: null,
  })
})

test.each([
  [
    'a byte order mark, a title and no hours',
    '\uFEFFWEBVTT A title\n\n00:01.000 --> 00:02.000 align:start\nYes.',
    'Yes.',
  ],
  ['old line ends', 'WEBVTT\r\r00:01.000 --> 00:02.000\rYes.\rNo.', 'Yes. No.'],
  ['notes and styles', file('NOTE\nnothing', 'STYLE\n::cue {}', line('Yes.')), 'Yes.'],
  ['tags and entities', file(line('<i>Yes</i> &amp; <00:00:01.500>no &lt;3 &unknown;')), 'Yes & no <3 &unknown;'],
  ['further blank lines', file('', '\n', line('Yes.')), 'Yes.'],
])('reads %s', (_what, text, expected) => {
  expect(parseWebVtt(text)).toMatchObject({ cues: [{ words: expected }], skipped_at_ms: null })
})

test('takes the name of a voice tag', () => {
  expect(read(line('<v.loud Ana Lima>Yes.</v>'))?.cues).toMatchObject([{ speaker: 'Ana Lima', words: 'Yes.' }])
})

test('leaves a colon in a sentence where most lines have no name', () => {
  expect(words(line('Remember: it rains.'), line('It does.', 2), line('It did.', 3))).toEqual([
    'Remember: it rains.',
    'It does.',
    'It did.',
  ])
})

test('orders lines by time, and takes out what cannot be seen', () => {
  const cues = read(line('Ana\u202E: Two\u2066.', 2), line('Ana: One.'))?.cues
  expect(cues).toMatchObject([
    { speaker: 'Ana', words: 'One.' },
    { speaker: 'Ana', words: 'Two.' },
  ])
})

describe('a damaged file', () => {
  test.each(['', 'A page', '<html>WEBVTT</html>', 'WEBVTTX\n\n', '{"code":3301}'])('%j is none', (text) => {
    expect(parseWebVtt(text)).toBeNull()
  })

  test.each([
    ['no times', '2\nwords alone'],
    ['times that are no times', '2\n00:00:02,000 --> 00:00:03,000\nNo.'],
    ['an end before its beginning', '2\n00:00:03.000 --> 00:00:02.000\nNo.'],
    ['minutes beyond the hour', '2\n00:61:03.000 --> 00:62:02.000\nNo.'],
    ['a day too late', '2\n99:00:03.000 --> 99:00:04.000\nNo.'],
    ['two lines in one', '2\n00:00:02.000 --> 00:00:03.000\nNo.\n3\n00:00:04.000 --> 00:00:05.000\nNo.'],
    ['a cut end', '2\n00:00:02.000 --> 00:0'],
  ])('loses only a line with %s, and says where', (_what, block) => {
    expect(read(line('One.'), block, line('Three.', 6))).toEqual({
      cues: [
        { start_ms: 1000, end_ms: 1900, speaker: '', words: 'One.' },
        { start_ms: 6000, end_ms: 6900, speaker: '', words: 'Three.' },
      ],
      skipped_at_ms: 1900,
    })
  })
})

test('cuts a line and a name of any length, and takes no time for it', () => {
  const [cue] = read(line(`${'n'.repeat(199)}: ${'<a'.repeat(100_000)}${'w'.repeat(100_000)}`))?.cues ?? []
  expect(cue?.speaker).toHaveLength(80)
  expect(cue?.words).toHaveLength(2000)
})
