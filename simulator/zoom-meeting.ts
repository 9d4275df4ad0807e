import { z } from 'zod'
import { JoinTicketAnswer } from '../shared/mobile.ts'
import { call } from '../shared/phone/call.ts'
import type { Schedule } from '../shared/phone/schedule.ts'
import { ClipPlayer } from './clip-player.ts'
import type { SimulatedPhone } from './phone.ts'

type PhoneInMeeting = {
  phone: SimulatedPhone
  /** The Parley server's address. */
  baseUrl: string
  /** The Zoom emulator's address, which replaces the Meeting SDK's own connection. */
  zoom: string
  schedule: Schedule
  /** Aborts when the phone leaves the room. */
  signal: AbortSignal
}

const Joined = z.object({ token: z.string() })
const MeetingPresence = z.object({ is_in: z.boolean() })

/** The delay before a phone that is too early retries, as the server requests. */
const TRY_AGAIN_MS = [9_000, 12_000] as const
const CHECK_MS = [4_000, 6_000] as const
const LEAVE_TIMEOUT_MS = 3_000

/** Joins the room's meeting like the Meeting SDK, rejoins when a new one has started, and leaves at the end. */
export async function stayInMeeting(place: PhoneInMeeting): Promise<void> {
  const { phone, zoom, schedule, signal } = place
  do {
    const token = await join(place).catch(() => null)
    if (token === null) continue
    const player = new ClipPlayer(phone, `${zoom}/sdk/participants/${token}/speech`, phone.random.fork('voice'))
    await stay(place, token)
    player.close()
  } while (await schedule.wait(phone.random.between(...TRY_AGAIN_MS), signal))
}

/** Resolves once the phone is no longer in the meeting. */
async function stay({ phone, zoom, schedule, signal }: PhoneInMeeting, token: string): Promise<void> {
  let isIn = true
  while (isIn && (await schedule.wait(phone.random.between(...CHECK_MS), signal))) {
    isIn = await callEmulator(MeetingPresence, `${zoom}/sdk/participants/${token}`, { signal }).then(
      ({ is_in }) => is_in,
      () => true, // a lost response does not mean that the meeting is over
    )
  }
  if (!isIn) return
  const body = JSON.stringify({ token })
  await callEmulator(z.object({}), `${zoom}/sdk/leave`, { body, signal: AbortSignal.timeout(LEAVE_TIMEOUT_MS) }).catch(
    () => {},
  )
}

async function join({ phone, baseUrl, zoom, signal }: PhoneInMeeting): Promise<string> {
  const { token } = phone
  const { data: ticket } = await call(JoinTicketAnswer, 'POST', `${baseUrl}/api/mobile/join-ticket`, { token, signal })
  const body = JSON.stringify(ticket)
  return (await callEmulator(Joined, `${zoom}/sdk/join`, { body, signal })).token
}

/** Calls the Zoom emulator. */
export async function callEmulator<T extends z.ZodType>(
  schema: T,
  url: string,
  { body, signal }: { body?: string; signal: AbortSignal },
): Promise<z.output<T>> {
  const sent = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const response = await fetch(url, { ...sent, signal })
  if (!response.ok) throw new Error(`Zoom answered ${response.status}: ${await response.text()}`)
  return schema.parse(await response.json())
}
