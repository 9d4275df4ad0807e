import { afterAll, expect, test } from 'vitest'
import { ZOOM_SCOPES } from '../../shared/zoom-scopes.ts'
import { ANA, startApp } from '../../test/zoom/connected-app.ts'
import * as calls from './calls.ts'
import type { ZoomCall } from './client.ts'

const zoom = await startApp()
afterAll(() => zoom.close())

const MEETING = '97763643886'
const UUID = 'BOKXuumlTAGXuqwr3bLyuQ=='
const EVENT_SCOPES = ['meeting:read:participant', 'cloud_recording:read:recording']

/** Every call that Parley makes. */
const made: Record<keyof typeof calls, ZoomCall<unknown>> = {
  readUser: calls.readUser,
  readUserSettings: calls.readUserSettings,
  createMeeting: calls.createMeeting({}),
  readMeeting: calls.readMeeting(MEETING),
  readStartLink: calls.readStartLink(MEETING),
  endMeeting: calls.endMeeting(MEETING),
  updateMeeting: calls.updateMeeting(MEETING, {}),
  deleteMeeting: calls.deleteMeeting(MEETING),
  listRecordings: calls.listRecordings('2026-10-01', '2026-10-31', null),
  readRecording: calls.readRecording(UUID),
  trashRecording: calls.trashRecording(UUID),
  recoverRecording: calls.recoverRecording(UUID),
  readZak: calls.readZak(60),
  readOnBehalfToken: calls.readOnBehalfToken(MEETING, 60),
  controlCloudRecording: calls.controlCloudRecording(MEETING, 'start'),
}

test('requests the scopes that the calls and events need, each once', async () => {
  await zoom.control('/options', { scopes: [] })
  const { call } = await zoom.connect(ANA)
  const wanted = new Set<string>(EVENT_SCOPES)
  for (const [name, { method, path, query, body }] of Object.entries(made)) {
    const answer = await call(method, query ? `${path}?${new URLSearchParams(query)}` : path, body)
    expect(answer, name).toMatchObject({ status: 400, body: { code: 4711 } })
    wanted.add(/scopes:\[(.+)\]/.exec(answer.body.message)?.[1] ?? name)
  }
  expect(ZOOM_SCOPES.map(({ scope }) => scope).toSorted()).toEqual([...wanted].toSorted())
  expect(ZOOM_SCOPES).toHaveLength(15)
})
