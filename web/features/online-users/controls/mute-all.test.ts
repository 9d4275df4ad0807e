import { expect, test } from 'vitest'
import { undoMuteAll } from './mute-all.ts'

const open = (id: string) => ({ id, is_muted: false })
const muted = (id: string) => ({ id, is_muted: true })

test.each([
  ['an open room is opened again', false, [open('a'), open('b')], { unmuteAll: true, mute: [], unmute: [] }],
  ['who was muted alone stays muted', false, [open('a'), muted('b')], { unmuteAll: true, mute: ['b'], unmute: [] }],
  [
    'in a silenced room only who was let speak is opened',
    true,
    [open('a'), muted('b')],
    { unmuteAll: false, mute: [], unmute: ['a'] },
  ],
  ['a muted room without an unmuted user has nothing to undo', true, [muted('a')], null],
])('%s', (_, flagBefore, usersBefore, undo) => {
  expect(undoMuteAll(flagBefore, usersBefore)).toEqual(undo)
})
