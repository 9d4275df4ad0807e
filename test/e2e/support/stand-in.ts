import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import { startMeeting } from '../../zoom/connected-app.ts'

const VERSION = '6.2.0'

type Ticket = Awaited<ReturnType<Awaited<ReturnType<typeof startMeeting>>['ticket']>> & { zak?: string }

/** A page like the meeting frame: loads the SDK from the emulator and records its events in `window.heard`. */
const page = (
  sdkUrl: string,
) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Meeting</title><main><h1>Meeting</h1>
<div id="zmmtg-root"></div></main><script src="${sdkUrl}/zoom-meeting-${VERSION}.min.js"></script>
<script>window.heard = []
for (const event of ['onUserJoin', 'onUserLeave', 'onUserUpdate', 'onActiveSpeaker', 'onMeetingStatus', 'onRecordingChange',
  'onUserIsInWaitingRoom', 'onJoinSpeed'])
  ZoomMtg.inMeetingServiceListener(event, (data) => heard.push({ event, data }))
window.ask = (method, args) => new Promise((resolve) => ZoomMtg[method]({ ...args, success: resolve, error: resolve }))
</script>`

/** Starts an emulator with a meeting, and a site whose pages join it through the stand-in for Zoom's SDK. */
export async function startStandIn(options = {}) {
  const meeting = await startMeeting(options)
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(page(`${meeting.zoom.origin}/sdk`))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  async function open(tab: Page, options: object = {}) {
    await tab.goto(origin)
    await callSdk(tab, 'init', { leaveUrl: '/left', leaveOnPageUnload: true, ...options })
  }
  const join = async (tab: Page, userName: string, more: object = {}) =>
    callSdk(tab, 'join', { ...sdkArguments(await meeting.ticket(userName)), ...more })

  return {
    ...meeting,
    open,
    join,
    async enter(tab: Page, userName: string) {
      await open(tab)
      const { errorCode, errorMessage } = await join(tab, userName)
      if (errorCode !== 0) throw new Error(`${userName} could not join: ${errorMessage}`)
    },
    /** Enters as a host's seat does: with the host's rights, without sound, and kept over a reload. */
    async enterAsHost(tab: Page, userName: string) {
      await open(tab, { disableJoinAudio: true, leaveOnPageUnload: false })
      const { errorCode } = await callSdk(tab, 'join', sdkArguments(await meeting.hostTicket(userName)))
      if (errorCode !== 0) throw new Error(`${userName} could not join: ${errorCode}`)
    },
    /** Closes all pages first, since one that calls the emulator after its end reports a refused connection. */
    async close(browser: Browser) {
      for (const context of browser.contexts()) await context.close()
      await new Promise((resolve) => site.close(resolve))
      await meeting.zoom.close()
    },
  }
}

type Answer = {
  status: boolean
  errorCode: number
  errorMessage: string | null
  result: Record<string, unknown> | null
}
type SdkEvent = { event: string; data: Record<string, unknown> }
declare const window: Window & { ask: (method: string, args: object) => Promise<Answer>; heard: SdkEvent[] }

export function callSdk(tab: Page, method: string, args: object = {}): Promise<Answer> {
  return tab.evaluate(([name, given]) => window.ask(name, given), [method, args] as const)
}

export function receivedEvents(tab: Page, event: string): Promise<SdkEvent['data'][]> {
  return tab.evaluate((name) => window.heard.filter((one) => one.event === name).map(({ data }) => data), event)
}

function sdkArguments({ signature, meeting_number, passcode, user_name, customer_key, zak }: Ticket) {
  return {
    signature,
    meetingNumber: meeting_number,
    passWord: passcode,
    userName: user_name,
    customerKey: customer_key,
    ...(zak && { zak }),
  }
}
