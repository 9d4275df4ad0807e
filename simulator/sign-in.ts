import { MobileLoginAnswer } from '../shared/mobile.ts'
import { call } from '../shared/phone/call.ts'
import { createSchedule, type Schedule } from '../shared/phone/schedule.ts'
import { deviceOf } from './device.ts'
import type { DeviceSecrets } from './device-secrets.ts'
import { SimulatedPhone } from './phone.ts'
import { type Random, seededRandom } from './random.ts'

export type SignInOptions = {
  baseUrl: string
  hostId: string
  username: string
  password: string
  deviceId?: string // default: the user's own, identical in every run
  secrets?: DeviceSecrets // none: an app from before device secrets
  random?: Random
  schedule?: Schedule
}

/** Throws CallFailure with the server's message. */
export async function signInPhone(options: SignInOptions): Promise<SimulatedPhone> {
  const { baseUrl, hostId, username, password, secrets } = options
  const device = deviceOf(hostId, username)
  const device_id = options.deviceId ?? device.device_id
  const phone = `${baseUrl} ${hostId} ${username} ${device_id}`
  const secret = secrets && { device_secret: secrets.get(phone) }
  const body = { host_id: hostId, username, password, ...device, device_id, ...secret }
  const { data } = await call(MobileLoginAnswer, 'POST', `${baseUrl}/api/mobile/login`, { body })
  if (data.device_secret) await secrets?.set(phone, data.device_secret) // stored before the session is used
  return new SimulatedPhone(baseUrl, data, {
    random: options.random ?? seededRandom(device.device_id),
    schedule: options.schedule ?? createSchedule(),
  })
}
