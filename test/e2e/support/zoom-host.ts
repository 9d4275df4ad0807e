import type { Room } from '../../../shared/rooms.ts'
import { http, type ServerProcess } from '../../servers/server-process.ts'
import { addHost, type TestHost, uniqueName } from './hosts.ts'
import { consentResult, control } from './zoom.ts'

/** Adds a host with a separate connected Zoom account. */
export async function addZoomHost(server: ServerProcess): Promise<TestHost> {
  const email = `${uniqueName('zoom')}@example.com`
  return addHost(server, { email, oauth_result_id: await consentResult(server, email) })
}

export async function roomOf(server: ServerProcess, { token }: TestHost): Promise<Room> {
  return (await http(server, 'GET', '/host/room', { token })).body.data.room
}

/** Adds finished recordings of the host's room at Zoom, one per start time. */
export async function addRecordings(server: ServerProcess, host: TestHost, starts: readonly Date[]): Promise<void> {
  const { zoom_meeting_id } = await roomOf(server, host)
  for (const start of starts) {
    await control(server, '/recordings', {
      meeting_id: zoom_meeting_id,
      start_time: start.toISOString(),
      duration_minutes: 30,
      audio: 'opening.m4a', // half a minute
      notify: false,
    })
  }
}
