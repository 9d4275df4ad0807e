/** Phones name themselves by 16 hexadecimal digits, of which eight tell two of them apart; other names are kept. */
export function shortDeviceId(deviceId: string): string {
  return /^[0-9a-f]{16}$/i.test(deviceId) ? `${deviceId.slice(0, 8)}...` : deviceId
}
