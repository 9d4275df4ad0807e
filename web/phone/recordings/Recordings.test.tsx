import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildRoomUser, call, PASSWORD, type TestHost } from '../../../test/factories/accounts.ts'
import { fill, press } from '../../../test/pages/page.tsx'
import { openPhonePage } from '../../../test/pages/phone-page.tsx'
import { buildZoomHost, listRecordings, putRecording, setupWithZoom } from '../../../test/zoom/emulated-zoom.ts'

const server = await setupWithZoom()
let host: TestHost
let ids: string[]
let username: string

beforeEach(async () => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  host = await buildZoomHost(server)
  for (const days of [1, 2]) await putRecording(server, host, new Date(Date.now() - days * 86_400_000).toISOString())
  ids = (await listRecordings(server, host)).recordings.map(({ id }) => id)
  username = (await buildRoomUser(server, host)).username
})

const share = (id: string | undefined, days: number | null) =>
  call(server, 'PUT', `/host/recordings/${id}/sharing`, { as: host, body: { days } })
async function signIn(hash = '') {
  const page = await openPhonePage(server, `/?host=${host.user_id}${hash}`)
  fill(await screen.findByLabelText('Username'), username)
  fill(screen.getByLabelText('Password'), PASSWORD)
  await press(page.user, 'Sign in')
  return page
}
const audio = () => document.querySelector('audio')
const items = () => screen.findAllByRole('listitem')

test('a user hears what the host has shared, one recording at a time, and returns', async () => {
  await share(ids[0], 7)
  await share(ids[1], 1)
  const { user } = await signIn()
  await press(user, 'Listen to recordings')
  const [first, second] = await items()
  if (!first || !second) throw new Error('Two are shared')
  await user.click(within(first).getByRole('button', { name: /^Play/ }))
  expect(audio()?.getAttribute('src')).toContain(`/api/mobile/recordings/media/${ids[0]}?kind=listen`)
  expect(document.activeElement).toBe(audio())
  await user.click(within(second).getByRole('button', { name: /^Play/ }))
  expect(document.querySelectorAll('audio')).toHaveLength(1)
  expect(audio()?.getAttribute('src')).toContain(ids[1])
  await press(user, 'Back')
  await screen.findByRole('heading', { name: 'Before you join' })
})

test('the screen before joining offers none while none is shared', async () => {
  await signIn()
  await screen.findByRole('heading', { name: 'Before you join' })
  expect(screen.queryByRole('button', { name: 'Listen to recordings' })).toBeNull()
})

test('a link leads to its recording after the sign-in, until the user goes back', async () => {
  await share(ids[0], 7)
  await share(ids[1], 7)
  const { user } = await signIn(`#recording=${ids[1]}`)
  const [first] = await items()
  if (!first) throw new Error('It comes first')
  await user.click(within(first).getByRole('button', { name: /^Play/ }))
  expect(audio()?.getAttribute('src')).toContain(ids[1])
  await press(user, 'Back')
  await press(user, 'Listen to recordings')
  await items()
  expect(window.location.hash).toBe('')
})

test('a link to one that is no longer shared says so, also when the link is opened later', async () => {
  await signIn()
  await screen.findByRole('heading', { name: 'Before you join' })
  act(() => {
    window.location.hash = `#recording=${ids[0]}`
  })
  await screen.findByText(/^Your host no longer shares this recording/)
  await share(ids[1], 7)
  act(() => {
    window.location.hash = `#recording=${ids[1]}`
  })
  await waitFor(() => expect(screen.queryByText(/^Your host no longer shares/)).toBeNull())
})

test('one that the host stops sharing while it plays says so, and one that fails can be tried again', async () => {
  await share(ids[0], 7)
  await share(ids[1], 7)
  const { user } = await signIn()
  await press(user, 'Listen to recordings')
  const play = async () => {
    const [first] = await items()
    if (first) await user.click(within(first).getByRole('button', { name: /^Play/ }))
  }
  const failAgain = () => fireEvent.error(audio() ?? document.body)
  await play()
  failAgain()
  const failure = await screen.findByText('This recording cannot be played right now. Please try again.')
  await waitFor(() => expect(document.activeElement).toBe(failure))
  await play()
  await share(ids[0], null)
  failAgain()
  await screen.findByText(/^Your host no longer shares this recording/)
  await waitFor(async () => expect(await items()).toHaveLength(1))
})

test('a list that cannot be fetched can be fetched again', async () => {
  await share(ids[0], 7)
  const page = await signIn()
  const refused = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('No network'))
  await press(page.user, 'Listen to recordings')
  await screen.findByText(/^Parley cannot be reached/)
  refused.mockRestore()
  await press(page.user, 'Try again')
  await items()
})
