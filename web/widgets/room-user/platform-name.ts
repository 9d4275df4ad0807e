import type { RoomUser } from '../../../shared/room-users.ts'

const NAMES: Record<string, string> = { android: 'Android', ios: 'iOS', web: 'Web' }

export function platformName({ platform }: Pick<RoomUser, 'platform'>): string {
  return NAMES[platform ?? ''] ?? platform ?? ''
}
