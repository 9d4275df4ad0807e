import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { type EmulatorOptions, startEmulator } from '../../emulator/app.ts'

/** Test support: an app registered with the emulator, and a person who consents. */
export const CALLBACK = 'http://127.0.0.1:9/api/oauth/callback'
const CLIENT = { clientId: 'parley-test', clientSecret: 'its-secret' }
const BASIC = `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`

export const ANA = 'ana@studycircle.example'
export const RAVI = 'ravi@tradingroom.example'
export const BEA = 'basic@freeplan.example' // on the Basic plan

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  scope: z.string(),
  expires_in: z.number(),
})

export async function startApp(more: Partial<EmulatorOptions> = {}) {
  const emulator = await startEmulator({
    port: 0,
    hostname: '127.0.0.1',
    control: true,
    redirectUris: [CALLBACK],
    options: { second_limits: false },
    ...CLIENT,
    ...more,
  })
  const { origin, apiUrl } = emulator

  const control = (path: string, body?: object, method = body === undefined ? 'GET' : 'POST') =>
    fetchJson(`${origin}/_emulator${path}`, { method, ...(body === undefined ? {} : sending(body)) })

  const token = (form: Record<string, string>, more: RequestInit = {}) =>
    fetchJson(`${origin}/oauth/token`, {
      method: 'POST',
      headers: { authorization: BASIC },
      body: new URLSearchParams(form),
      ...more,
    })

  const authorizeUrl = (more: Record<string, string> = {}) =>
    `${origin}/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: CLIENT.clientId,
      redirect_uri: CALLBACK,
      ...more,
    })}`

  /** Chooses an account on the consent page, presses a button, and returns the parameters of the callback. */
  async function consent(email: string, overrides: Record<string, string> = {}, action = 'allow') {
    const page = await (await fetch(authorizeUrl(overrides))).text()
    const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const account = new RegExp(`value="([^"]+)"(?:(?!<label)[^])*${RegExp.escape(email)}`).exec(page)?.[1]
    const body = new URLSearchParams({ request, action, account: account ?? 'other', email })
    const answer = await fetch(`${origin}/oauth/consent`, { method: 'POST', body, redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? 'about:blank')
  }

  async function connect(email: string) {
    const verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const back = await consent(email, { code_challenge, code_challenge_method: 'S256', state: 'any' })
    const code = back.searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier }
    const pair = Tokens.parse((await token(form)).body)

    const call = (method: string, path: string, body?: object) =>
      fetchJson(apiUrl + path, {
        method,
        headers: { authorization: `Bearer ${pair.access_token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
    return { ...pair, call }
  }

  return { ...emulator, basic: BASIC, control, token, authorizeUrl, consent, connect }
}

/** Starts a meeting in the app's own account, and issues join tickets as the app's server would. */
export async function startMeeting({ settings = {}, ...more }: { settings?: object } & Partial<EmulatorOptions> = {}) {
  const zoom = await startApp(more)
  const { call } = await zoom.connect(ANA)
  const { id, password } = (await call('POST', '/users/me/meetings', { type: 3, settings })).body
  const happens = (what: string, body: object = {}) => zoom.control(`/meetings/${id}${what}`, body)
  await happens('/start')
  const ticket = async (user_name: string, role = 0) => ({
    meeting_number: String(id),
    passcode: String(password),
    signature: await signature(String(id), role),
    user_name,
    customer_key: user_name.toLowerCase(),
  })
  return {
    zoom,
    happens,
    ticket,
    hostTicket: async (user_name: string) => ({
      ...(await ticket(user_name, 1)),
      zak: String((await call('GET', '/users/me/token?type=zak')).body.token),
    }),
  }
}

function signature(mn: string, role: number) {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { appKey: CLIENT.clientId, mn, role, iat, exp: iat + 7200, tokenExp: iat + 7200 }
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT.clientSecret))
}

const sending = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** `body` is the parsed JSON, or the text if it is not JSON. */
export async function fetchJson(url: string, init: RequestInit) {
  const answer = await fetch(url, init)
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
}

type ReceivedCall = { headers: Record<string, string | string[] | undefined>; raw: string; body: { event: string } }

/** Starts a local webhook receiver that answers with the given statuses in turn, then 200. */
export async function catchWebhooks(...statuses: number[]) {
  const received: ReceivedCall[] = []
  const waiting: (() => void)[] = []
  let reply: (call: ReceivedCall) => object = () => ({})
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks).toString()
    const call: ReceivedCall = { headers: request.headers, raw, body: JSON.parse(raw) }
    received.push(call)
    response.writeHead(statuses.shift() ?? 200).end(JSON.stringify(reply(call)))
    for (const wake of waiting.splice(0)) wake()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0

  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    replyWith: (make: (call: ReceivedCall) => object) => {
      reply = make
    },
    /** Resolves once this many webhooks have arrived. */
    async until(count: number) {
      while (received.length < count) await new Promise<void>((wake) => waiting.push(wake))
    },
    close: () => new Promise((closed) => server.close(closed)),
  }
}
