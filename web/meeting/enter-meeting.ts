import { z } from 'zod'
import { callZoom } from './call-zoom.ts'
import type { FrameTicket } from './messages.ts'
import { MINIMAL_INTERFACE, type ZoomMtg } from './zoom-mtg.ts'

const INIT_TIMEOUT_MS = 40_000
/** Long, since Zoom may ask the user for something first, such as a captcha. */
const JOIN_TIMEOUT_MS = 90_000

export function initZoom(zoom: ZoomMtg, leaveUrl: string, language: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    zoom.i18n.load(language)
    zoom.i18n.onLoad(() => {
      const begin = callZoom(z.unknown(), INIT_TIMEOUT_MS, (callbacks) =>
        zoom.init({ ...MINIMAL_INTERFACE, leaveUrl, disableCORP: !globalThis.crossOriginIsolated, ...callbacks }),
      )
      begin.then(resolve, reject)
    })
  })
}

/** Never times out while it `isWaiting` for the host, or to be admitted. */
export function joinZoom(zoom: ZoomMtg, ticket: FrameTicket, isWaiting: () => boolean): Promise<unknown> {
  const { signature, meeting_number, user_name, passcode, customer_key, obf_token, zak } = ticket
  const options = {
    signature,
    meetingNumber: meeting_number,
    userName: user_name,
    passWord: passcode,
    customerKey: customer_key,
    ...(obf_token && { obfToken: obf_token }),
    ...(zak && { zak }),
  }
  return callZoom(z.unknown(), JOIN_TIMEOUT_MS, (callbacks) => zoom.join({ ...options, ...callbacks }), isWaiting)
}
