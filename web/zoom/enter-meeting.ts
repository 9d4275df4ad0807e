import { z } from 'zod'
import { callZoom } from './call-zoom.ts'
import { type InitOptions, MINIMAL_INTERFACE, type ZoomMtg } from './zoom-mtg.ts'

interface Ticket {
  meeting_number: string
  passcode: string
  signature: string
  user_name: string
  customer_key: string
  obf_token?: string | undefined
  zak?: string | undefined
}

const INIT_TIMEOUT_MS = 40_000
/** Long, since Zoom may ask the user for something first, such as a captcha. */
const JOIN_TIMEOUT_MS = 90_000

/** `leaveUrl` is where Zoom's program goes at the end. */
export function initZoom(
  zoom: ZoomMtg,
  language: string,
  options: Partial<InitOptions> & { leaveUrl: string },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    zoom.i18n.load(language)
    zoom.i18n.onLoad(() => {
      const begin = callZoom(z.unknown(), INIT_TIMEOUT_MS, (callbacks) =>
        zoom.init({ ...MINIMAL_INTERFACE, ...options, disableCORP: !globalThis.crossOriginIsolated, ...callbacks }),
      )
      begin.then(resolve, reject)
    })
  })
}

/** Never times out while it `isWaiting` for the host, or to be admitted. */
export function joinZoom(zoom: ZoomMtg, ticket: Ticket, isWaiting: () => boolean): Promise<unknown> {
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
