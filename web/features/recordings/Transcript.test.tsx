import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { readTranscripts } from '../../../server/features/recordings/transcripts/read-transcripts.ts'
import { call, type TestHost } from '../../../test/factories/accounts.ts'
import { openPage, press } from '../../../test/pages/page.tsx'
import { buildZoomHost, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

const server = await setupWithZoom()
let host: TestHost
beforeEach(async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue() // jsdom has no sound
  host = await buildZoomHost(server)
  await server.control('/accounts', { email: host.email, settings: { recording_audio_transcript: true } })
})

async function addRecording(topic: string, transcript: string, days = 1) {
  const start_time = new Date(Date.now() - days * 86_400_000).toISOString()
  const body = { email: host.email, start_time, duration_minutes: 4, topic, transcript, notify: false }
  await server.control('/recordings', body)
}
async function openRecordings() {
  await call(server, 'GET', '/recordings?fetch_live=true', { as: host })
  await readTranscripts.run(server.deps)
  return openPage(server, '/host/recordings', { ...host, role: 'host' })
}
const vtt = (...lines: string[]) =>
  `WEBVTT\n\n${lines.map((line, at) => `00:${at}0.000 --> 00:${at}5.000\n${line}`).join('\n\n')}\n`
const THREE = vtt('Ana: Good evening.', 'Kim: The harvest is in.', 'Kim: Good night.')
const lineOf = async (name: RegExp) => screen.findByRole('button', { name })
const search = async (user: UserEvent, words: string) => {
  const field = await screen.findByRole('searchbox', { name: 'Search what was said' })
  await user.clear(field)
  await user.type(field, words)
}

describe('a search of what was said', () => {
  test('plays the recording from the found line, whose transcript marks it', async () => {
    await addRecording('Spring', vtt('Ana: Nothing of that.'))
    await addRecording('Autumn', THREE, 2)
    const { user } = await openRecordings()
    await search(user, 'HARV')
    const found = await screen.findByRole('region', { name: /^Autumn/ })
    expect(screen.queryByRole('region', { name: /^Spring/ })).toBeNull()
    expect(within(found).getByText('harvest').tagName).toBe('MARK')
    await press(user, 'Play from 0:10: Kim The harvest is in.')
    const player = await screen.findByRole('region', { name: /^Player: / })
    await press(user, 'Transcript, 3 lines')
    const current = within(player).getByRole('button', { current: true })
    expect(current.textContent).toBe('0:10Kim The harvest is in.')
    await search(user, 'h')
    await screen.findByRole('table') // too short
  })

  test('says where nothing is found, and where it failed', async () => {
    await addRecording('Autumn', THREE)
    const { user, refuse } = await openRecordings()
    await search(user, 'winter')
    await screen.findByText('Nothing found')
    refuse('GET', /^\/host\/recordings\/search/)
    await search(user, 'summer')
    await screen.findByText('Failed to search')
  })
})

describe('the transcript beside the player', () => {
  test('goes to a line, by the keyboard too, and closes before the player', async () => {
    await addRecording('Autumn', THREE)
    const { user } = await openRecordings()
    await press(user, /^Play /)
    await press(user, 'Transcript, 3 lines')
    const first = await lineOf(/^0:00/)
    expect(first).toHaveProperty('tabIndex', 0)
    first.focus()
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    expect(document.activeElement?.textContent).toBe('0:10Kim The harvest is in.')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false'))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('region', { name: /^Player: / })).toBeNull())
  })

  test.each([
    ['A page instead', 'Zoom’s transcript is damaged. The recording itself is not.'],
    [vtt('Ana: One.', 'Kim: Two.').replace('00:15.000', ''), 'Something after 0:05 could not be read.'],
  ])('says what is damaged', async (transcript, words) => {
    await addRecording(
      'Autumn',
      transcript.replace(/$/, transcript.startsWith('WEBVTT') ? '\n00:30.000 --> 00:31.000\nEnd.' : ''),
    )
    const { user } = await openRecordings()
    await press(user, /^Play /)
    if (transcript.startsWith('WEBVTT')) await press(user, 'Transcript, 2 lines')
    await screen.findByText(words)
  })

  test('says that Zoom has made none', async () => {
    await server.control('/accounts', { email: host.email, settings: { recording_audio_transcript: false } })
    await addRecording('Autumn', THREE)
    const { user } = await openRecordings()
    await press(user, /^Play /)
    await screen.findByText('Zoom has made no transcript of this recording.')
  })
})
