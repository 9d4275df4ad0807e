import { createHmac, randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/dates.ts'
import { DEMO_CLIENT_ID } from '../../config.ts'
import { deadlineIn } from '../../zoom/deadline.ts'
import { ZoomError } from '../../zoom/errors.ts'
import { createOAuth } from '../../zoom/oauth.ts'
import { validationAnswer } from '../../zoom/webhook-signature.ts'
import { ask } from './ask-site.ts'
import { CHECK_MS, type CheckDeps, counted, NOT_ASKED, note, ok, problem, type RunCheck, warn } from './check.ts'

const STUCK_MS = 10 * MINUTE_MS
const DEMO = note('Off: a stand-in takes the place of Zoom.')

const isDemo = ({ config }: CheckDeps) => config.isDemoZoom || config.ZOOM_CLIENT_ID === DEMO_CLIENT_ID

export const checkZoomApp: RunCheck = async (deps, signal) => {
  if (isDemo(deps)) return DEMO
  const { config, log } = deps
  const { hostname } = new URL(config.ZOOM_OAUTH_URL)
  try {
    await createOAuth({ config, log, now: Date.now }).appToken({ ...deadlineIn(CHECK_MS), signal })
    return ok(`${hostname} accepts its id and secret.`)
  } catch (error) {
    if (error instanceof ZoomError && error.details.status)
      return problem(
        `${hostname} refuses its id and secret (${error.details.status}).`,
        'Compare ZOOM_CLIENT_ID and ZOOM_CLIENT_SECRET, or those of the SDK, with the app at marketplace.zoom.us.',
      )
    return problem(`${hostname} does not answer.`, 'Let this machine reach it over HTTPS.')
  }
}

export const checkWebhook: RunCheck = async (deps, signal) => {
  if (isDemo(deps)) return DEMO
  const { config, db, isServed } = deps
  const secret = config.ZOOM_WEBHOOK_SECRET
  const path = '/api/zoom/webhooks'
  if (!secret)
    return warn("ZOOM_WEBHOOK_SECRET is not set: Zoom's events are refused.", `Set it; the address is ${path}.`)
  const { last, stuck } = await db()
    .selectFrom('zoom_events')
    .select((eb) => [
      eb.fn.max('received_at').as('last'),
      eb.fn
        .countAll<string>()
        .filterWhere('processed_at', 'is', null)
        .filterWhere('received_at', '<', new Date(Date.now() - STUCK_MS))
        .as('stuck'),
    ])
    .executeTakeFirstOrThrow()
  if (Number(stuck) > 0)
    return warn(
      `${counted(Number(stuck), 'event')} could not be handled for 10 minutes.`,
      'Look for zoom.event_failed.',
    )
  const age = last ? Date.now() - last.getTime() : null
  if (age !== null && age < DAY_MS) return ok(`The last event came ${Math.floor(age / HOUR_MS)} h ago.`)
  const since =
    age === null ? 'No event has come yet' : `The last event came ${counted(Math.floor(age / DAY_MS), 'day')} ago`
  if (!isServed) return note(`${since}. The address was ${NOT_ASKED}.`)
  const plainToken = randomUUID()
  const body = JSON.stringify({ event: 'endpoint.url_validation', event_ts: Date.now(), payload: { plainToken } })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
  const answer = await ask(new URL(path, config.PUBLIC_URL), {
    signal,
    body,
    headers: { 'content-type': 'application/json', 'x-zm-request-timestamp': timestamp, 'x-zm-signature': signature },
  }).catch(() => null)
  return answer?.text.includes(validationAnswer(secret, plainToken).encryptedToken)
    ? ok(`${since}, but the address answers a signed one.`)
    : problem(
        `${since}, and ${config.PUBLIC_URL}${path} does not answer a signed one.`,
        'Let the proxy pass it on unchanged, and give all servers the same ZOOM_WEBHOOK_SECRET.',
      )
}

export const checkSdk: RunCheck = async (deps, signal) => {
  const { ZOOM_SDK_VERSION, ZOOM_SDK_URL } = deps.config
  const sdk = await fetchSdk(deps, signal)
  if (!sdk) return DEMO
  const found = `Meeting SDK ${ZOOM_SDK_VERSION}`
  if (sdk.status === null)
    return problem(`${found}: ${new URL(ZOOM_SDK_URL).hostname} does not answer.`, 'Let this machine reach it.')
  return sdk.status < 300
    ? ok(`${found} is served.`)
    : problem(`${found} is not served any more (${sdk.status}).`, 'Set ZOOM_SDK_VERSION to one that Zoom supports.')
}

interface SdkAnswer {
  status: number | null
  date: string | null
  sentAt: number
  receivedAt: number
}

const answers = new WeakMap<CheckDeps, Promise<SdkAnswer>>()

/** Asks once for the checks of one run. Returns null if a stand-in takes the place of Zoom. */
export async function fetchSdk(deps: CheckDeps, signal: AbortSignal): Promise<SdkAnswer | null> {
  if (isDemo(deps)) return null
  const answer = answers.get(deps) ?? headSdk(deps, signal)
  answers.set(deps, answer)
  return answer
}

async function headSdk({ config: { ZOOM_SDK_URL, ZOOM_SDK_VERSION } }: CheckDeps, signal: AbortSignal) {
  const sentAt = Date.now()
  const url = `${ZOOM_SDK_URL}/${ZOOM_SDK_VERSION}/lib/vendor/react.min.js`
  const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal }).catch(() => null)
  return {
    status: response?.status ?? null,
    date: response?.headers.get('date') ?? null,
    sentAt,
    receivedAt: Date.now(),
  }
}
