/** Android's ids are 16 hexadecimal digits, of which eight are enough to tell two apart; others are kept whole. */
export function shortDeviceId(deviceId: string): string {
  return /^[0-9a-f]{16}$/i.test(deviceId) ? `${deviceId.slice(0, 8)}...` : deviceId
}
