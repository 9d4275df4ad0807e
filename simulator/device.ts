import { createHash } from 'node:crypto'
import { seededRandom } from './random.ts'

export type SimulatedDevice = {
  device_id: string
  device_model: string
  platform: 'android' | 'ios'
  app_version: string
}

const MODELS = [
  ['android', 'Samsung Galaxy A54'],
  ['android', 'Samsung Galaxy S23'],
  ['android', 'Xiaomi Redmi Note 12'],
  ['android', 'Google Pixel 8a'],
  ['android', 'Tecno Spark 20'],
  ['android', 'Motorola moto g84'],
  ['android', 'OPPO A78'],
  ['ios', 'iPhone 12'],
  ['ios', 'iPhone SE (3rd generation)'],
  ['ios', 'iPhone 14'],
  ['ios', 'iPhone 15 Pro'],
] as const
const APP_VERSIONS = ['2.4.1', '2.4.1', '2.4.1', '2.4.0', '2.3.7'] // most people are up to date

/** The device is the same in every run, since the server binds the account to its first phone. */
export function deviceOf(hostId: string, username: string): SimulatedDevice {
  const owner = `${hostId}/${username}`
  const random = seededRandom(owner)
  const [platform, device_model] = random.pick(MODELS) ?? MODELS[0]
  return {
    device_id: createHash('sha256').update(owner).digest('hex').slice(0, 16),
    device_model,
    platform,
    app_version: random.pick(APP_VERSIONS) ?? APP_VERSIONS[0] ?? '',
  }
}
