import { MobileLoginAnswer } from '../shared/mobile.ts'
import { call } from './call.ts'
import { deviceOf } from './device.ts'
import { Phone } from './participant.ts'
import { type Random, seededRandom } from './random.ts'
import { createSchedule, type Schedule } from './schedule.ts'

export type SignIn = {
  baseUrl: string
  hostId: string
  username: string
  password: string
  deviceId?: string // default: the user's own, the same in every run
  random?: Random
  schedule?: Schedule
}

/** One login, as when a person types the three fields into the app. Throws CallFailure in the server's words. */
export async function signIn(options: SignIn): Promise<Phone> {
  const { baseUrl, hostId, username, password } = options
  const device = deviceOf(hostId, username)
  const body = {
    host_id: hostId,
    username,
    password,
    ...device,
    device_id: options.deviceId ?? device.device_id,
  }
  const { data } = await call(MobileLoginAnswer, 'POST', `${baseUrl}/api/mobile/login`, { body })
  return new Phone(baseUrl, data, {
    random: options.random ?? seededRandom(device.device_id),
    schedule: options.schedule ?? createSchedule(),
  })
}
