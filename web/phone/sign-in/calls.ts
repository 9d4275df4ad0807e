import { Done } from '../../../shared/envelope.ts'
import { MobileLoginAnswer, MobileMeAnswer, type RoomBranding, RoomBrandingAnswer } from '../../../shared/mobile.ts'
import { CallFailure, call } from '../../../shared/phone/call.ts'
import type { Login } from '../../../shared/phone/phone.ts'
import {
  type PhoneRequestState,
  PhoneRequestStateAnswer,
  PhoneRequestTicketAnswer,
} from '../../../shared/phone-requests.ts'
import { type LinkOwner, LinkOwnerAnswer } from '../../../shared/sign-in-links.ts'
import { describeDevice, deviceSecretOf, deviceSecretsOf, storeDeviceSecret } from './device.ts'

export type Credentials = { host_id: string; username: string; password: string }

const api = (path: string) => `${window.location.origin}/api/mobile${path}`

/** Returns null if the room does not exist. */
export async function getBranding(hostId: string, signal: AbortSignal): Promise<RoomBranding | null> {
  try {
    return (await call(RoomBrandingAnswer, 'GET', api(`/rooms/${encodeURIComponent(hostId)}`), { signal })).data
  } catch (error) {
    if (error instanceof CallFailure && error.status === 404) return null
    throw error
  }
}

async function phoneBody(credentials: Credentials) {
  const { host_id, username } = credentials
  return { ...credentials, ...(await describeDevice(host_id)), device_secret: deviceSecretOf(host_id, username) }
}

export async function loginPhone(credentials: Credentials, signal: AbortSignal): Promise<Login> {
  const body = await phoneBody(credentials)
  const { data } = await call(MobileLoginAnswer, 'POST', api('/login'), { body, signal })
  // Stored before the session is used, since the server requires it from then on.
  if (data.device_secret) storeDeviceSecret(credentials.host_id, credentials.username, data.device_secret)
  return data
}

export async function requestPhoneChange(credentials: Credentials): Promise<string> {
  const body = await phoneBody(credentials)
  return (await call(PhoneRequestTicketAnswer, 'POST', api('/phone-requests'), { body })).data.ticket
}

export async function fetchRequestState(ticket: string, signal: AbortSignal): Promise<PhoneRequestState> {
  const path = `/phone-requests/${encodeURIComponent(ticket)}`
  return (await call(PhoneRequestStateAnswer, 'GET', api(path), { signal })).data.state
}

/** The link does not name its user, so the secrets of all accounts that signed in here are sent. */
export async function loginPhoneByLink(host_id: string, link_token: string, signal: AbortSignal): Promise<Login> {
  const device = await describeDevice(host_id)
  const secrets = [...deviceSecretsOf(host_id).slice(0, 4), null]
  for (const [index, device_secret] of secrets.entries()) {
    try {
      const body = { host_id, link_token, ...device, device_secret }
      const { data } = await call(MobileLoginAnswer, 'POST', api('/link-login'), { body, signal })
      if (data.device_secret) storeDeviceSecret(host_id, data.user.username, data.device_secret)
      return data
    } catch (error) {
      const isOther = error instanceof CallFailure && error.code === 'device_mismatch'
      if (!isOther || index === secrets.length - 1) throw error
    }
  }
  throw new Error('No sign-in was tried')
}

export async function findLinkOwner(host_id: string, link_token: string, signal: AbortSignal): Promise<LinkOwner> {
  return (await call(LinkOwnerAnswer, 'POST', api('/link-owner'), { body: { host_id, link_token }, signal })).data
}

export async function restoreSession(token: string): Promise<Login> {
  const { user, room, app } = (await call(MobileMeAnswer, 'GET', api('/me'), { token })).data
  return { token, user, room, app }
}

export async function logoutPhone(token: string): Promise<void> {
  await call(Done, 'POST', api('/logout'), { token })
}
