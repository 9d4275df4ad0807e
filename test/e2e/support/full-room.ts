import { SAMPLE_PEOPLE } from '../../../demo/sample-people.ts'
import type { SimulatedPhone } from '../../../simulator/phone.ts'
import { http, type ServerProcess } from '../../servers/server-process.ts'
import { addHost, type TestHost, uniqueName } from './hosts.ts'
import { addPeople, openPhone } from './people.ts'
import { test as base } from './test.ts'
import { consentResult, control } from './zoom.ts'

const PEOPLE = SAMPLE_PEOPLE.slice(0, 12)
const DAY_MS = 86_400_000

/** Fills pages with as much as they can show: `host` has Zoom, recordings, and users with phones. */
export const test = base.extend({
  host: async ({ server }, use) => {
    const host = await addConnectedHost(server)
    await addRecordings(server, host)
    const phones = await openPhones(server, host)
    await use(host)
    for (const phone of phones) phone.close()
  },
})

async function addConnectedHost(server: ServerProcess): Promise<TestHost> {
  const username = uniqueName('full-room')
  const email = `${username}@example.com`
  const oauth_result_id = await consentResult(server, email)
  return addHost(server, { username, email, oauth_result_id, mobile: '+234 803 555 0142' })
}

async function addRecordings(server: ServerProcess, { rooms: [room] }: TestHost): Promise<void> {
  for (const [days, topic] of [
    [2, 'Evening reading'],
    [9, 'Evening Study Circle: Questions and answers'],
    [44, 'Guest speaker'],
  ] as const) {
    await control(server, '/recordings', {
      meeting_id: room?.zoom_meeting_id,
      topic,
      start_time: new Date(Date.now() - days * DAY_MS).toISOString(),
      duration_minutes: 50 + days,
    })
  }
}

/** The first two speak, the second also raised a hand, the third has the speaker on, the fourth is muted. */
async function openPhones(server: ServerProcess, host: TestHost): Promise<SimulatedPhone[]> {
  const names = PEOPLE.map(({ username }) => username)
  const people = await addPeople(server, host, names, (_, index) => ({ reference: PEOPLE[index]?.reference }))
  const phones: SimulatedPhone[] = []
  for (const person of people.slice(0, 5)) phones.push(await openPhone(server, host, person))
  await phones[0]?.speak()
  await phones[4]?.speak()
  await phones[1]?.raiseHand()
  await phones[2]?.report({ speaker_on: true })
  await http(server, 'POST', `/host/users/${people[3]?.id}/mute`, { token: host.token })
  return phones
}
