import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ANA, catchWebhooks, fetchJson, RAVI, startApp } from '../../test/zoom/connected-app.ts'

const now = Date.now()
let zoom: Awaited<ReturnType<typeof startApp>>
let target: Awaited<ReturnType<typeof catchWebhooks>>

beforeAll(async () => {
  zoom = await startApp({ now: () => now, webhookSecret: 'a-secret-token' })
})
beforeEach(async () => {
  zoom.reset()
  target = await catchWebhooks()
  await zoom.control('/webhooks/endpoint', { url: target.url })
  return target.close
})
afterAll(() => zoom.close())

/** Ravi's account is separate; the app belongs to Ana's, since she is the first user. */
async function createMeeting(email = RAVI) {
  const { call } = await zoom.connect(email)
  const { id, password } = (await call('POST', '/users/me/meetings', { type: 3 })).body
  const signature = await sign({ mn: String(id) })
  const token = async (query: string): Promise<string> => (await call('GET', `/users/me/token?${query}`)).body.token
  const happens = (what: string, body: object = {}) => zoom.control(`/meetings/${id}${what}`, body)
  return {
    id,
    signature,
    passcode: String(password),
    happens,
    obf: () => token(`type=onbehalf&meeting_id=${id}`),
    zak: () => token('type=zak'),
    join: (more: object = {}) => join({ signature, meeting_number: String(id), passcode: password, ...more }),
    joinAsHost: async (more: object = {}) =>
      join({
        signature: await sign({ mn: String(id), role: 1 }),
        meeting_number: String(id),
        passcode: password,
        user_name: 'Ravi',
        zak: await token('type=zak'),
        ...more,
      }),
    present: async () => {
      const { meetings } = (await zoom.control('/state')).body
      const { sitting } = meetings.find((one: { id: number }) => one.id === id)
      return sitting?.participants.map(({ user_name }: { user_name: string }) => user_name)
    },
  }
}

function sign({
  mn,
  secret = 'its-secret',
  appKey = 'parley-test',
  from = now,
  role = 0,
}: Record<'mn', string> & Partial<Signed>) {
  const iat = Math.floor(from / 1000)
  const claims = { appKey, mn, role, iat, exp: iat + 7200, tokenExp: iat + 7200 }
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))
}
type Signed = { secret: string; appKey: string; from: number; role: number }

function join(body: object) {
  const headers = { 'content-type': 'application/json' }
  return fetchJson(`${zoom.origin}/sdk/join`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ user_name: 'Kim', customer_key: 'kim', ...body }),
  })
}

const refused = (code: number, message: string) => ({ status: 400, body: { code, message } })
const mails = async () => (await zoom.control('/state')).body.mails
const participantsIn = async (event: string) => {
  await zoom.control('/webhooks/settle', {})
  const events = target.received.map(
    ({ body }) => body as { event: string; payload?: { object: Record<string, unknown> } },
  )
  return events.filter((one) => one.event === event).map(({ payload }) => payload?.object.participant)
}

describe('a guest from outside the app’s account', () => {
  test('needs a token from the host, valid once and for its own meeting', async () => {
    const meeting = await createMeeting()
    await meeting.happens('/start')
    expect(await meeting.join()).toMatchObject(refused(504, 'MEETING_FAIL_APP_CAN_NOT_ANONYMOUS_JOIN_MEETING'))
    const obf_token = await meeting.obf()
    expect((await meeting.join({ obf_token })).status).toBe(200)
    expect(await meeting.join({ obf_token })).toMatchObject(refused(505, 'MEETING_FAIL_ON_BEHALF_TOKEN_INVALID'))

    const other = await createMeeting(ANA)
    await other.happens('/start')
    const foreign = { obf_token: await other.obf() }
    expect(await meeting.join(foreign)).toMatchObject(refused(506, 'MEETING_FAIL_ON_BEHALF_TOKEN_NOT_MATCH_MEETING'))
    expect(await mails()).toEqual([])
  })

  test('is refused before the host joins, who gets a mail each time; the token stays valid', async () => {
    const meeting = await createMeeting()
    const obf_token = await meeting.obf()
    const absent = refused(501, 'MEETING_FAIL_AUTHORIZED_USER_NOT_INMEETING')
    expect(await meeting.join({ obf_token })).toMatchObject(absent)
    await meeting.happens('/start')
    await meeting.happens('/participants/leave', { host: true })
    expect(await meeting.join({ obf_token })).toMatchObject(absent)
    expect(await mails()).toMatchObject([{ to: RAVI }, { to: RAVI }])
    await meeting.happens('/participants/join', { host: true })
    expect((await meeting.join({ obf_token })).status).toBe(200)
  })

  test('is removed when the host leaves', async () => {
    const meeting = await createMeeting()
    await meeting.happens('/start')
    await meeting.happens('/participants/join', { user_name: 'By the Zoom app' })
    await meeting.join({ obf_token: await meeting.obf() })
    expect(await meeting.present()).toEqual(['By the Zoom app', 'Kim'])
    await meeting.happens('/participants/leave', { host: true })
    expect(await meeting.present()).toEqual(['By the Zoom app'])
    expect(await participantsIn('meeting.participant_left')).toMatchObject([{ email: RAVI }, { customer_key: 'kim' }])
  })
})

test('a guest of the app’s own account needs only the signature, once the meeting has started', async () => {
  const meeting = await createMeeting(ANA)
  expect(await meeting.join()).toMatchObject(refused(7, 'MEETING_FAIL_MEETING_NOT_START'))
  await meeting.happens('/start')
  await meeting.happens('/participants/leave', { host: true })
  expect((await meeting.join()).status).toBe(200)
})

test('a host starts the meeting with a ZAK, for which Zoom sends only the start, and joins with a second device', async () => {
  const meeting = await createMeeting()
  const asUser = { user_name: 'Ravi', zak: await meeting.zak() }
  expect(await meeting.join(asUser)).toMatchObject(refused(7, 'MEETING_FAIL_MEETING_NOT_START'))
  const started = await meeting.joinAsHost({ customer_key: 'ravi' })
  expect(started.body.participant).toMatchObject({ user_name: 'Ravi', participant_uuid: expect.any(String) })
  expect(await participantsIn('meeting.started')).toHaveLength(1)
  expect(await participantsIn('meeting.participant_joined')).toEqual([])
  await meeting.joinAsHost({ customer_key: 'ravi' })
  expect(await participantsIn('meeting.participant_joined')).toMatchObject([
    { email: RAVI, customer_key: 'ravi', participant_user_id: expect.stringMatching(/./) },
  ])
  const both = { zak: await meeting.zak(), obf_token: await meeting.obf() }
  expect(await meeting.join(both)).toMatchObject(refused(502, 'MEETING_FAIL_ON_BEHALF_TOKEN_CONFLICT_LOGIN_ERROR'))
  const theirs = { zak: await (await createMeeting(ANA)).zak() }
  for (const joining of [meeting.join(theirs), meeting.joinAsHost(theirs)])
    expect(await joining).toMatchObject(refused(503, 'MEETING_FAIL_USER_LEVEL_TOKEN_NOT_HAVE_HOST_ZAK_OBF'))
  expect(await meeting.joinAsHost({ zak: undefined })).toMatchObject(refused(3708, 'INCORRECT_ROLE'))
})

describe('a host who is in the meeting already', () => {
  const devices = async () => {
    const { participants } = (await zoom.control('/sound')).body
    return participants.map(({ userName, isHost, isCoHost }: Record<string, unknown>) => ({
      userName,
      isHost,
      isCoHost,
    }))
  }

  test('becomes a co-host with a second device', async () => {
    const meeting = await createMeeting(ANA)
    await meeting.joinAsHost({ user_name: 'First' })
    await meeting.joinAsHost({ user_name: 'Second' })
    expect(await devices()).toEqual([
      { userName: 'First', isHost: true, isCoHost: false },
      { userName: 'Second', isHost: false, isCoHost: true },
    ])
  })

  test('is moved to the second device, or refused', async () => {
    const meeting = await createMeeting(ANA)
    await meeting.happens('/start')
    await zoom.control('/options', { host_twice: 'refuse' })
    expect(await meeting.joinAsHost()).toMatchObject(refused(4008, 'PARTICIPANT_EXISTS'))
    await zoom.control('/options', { host_twice: 'transfer' })
    for (const user_name of ['First', 'Second']) await meeting.joinAsHost({ user_name })
    expect(await devices()).toEqual([{ userName: 'Second', isHost: true, isCoHost: false }])
  })
})

test('refuses a wrong signature, a wrong passcode and an unknown meeting', async () => {
  const meeting = await createMeeting(ANA)
  await meeting.happens('/start')
  const mn = String(meeting.id)
  const wrong = [{ mn, secret: 'another' }, { mn, appKey: 'another' }, { mn: '12345678901' }]
  for (const one of wrong)
    expect(await meeting.join({ signature: await sign(one) })).toMatchObject(refused(3712, 'INVALID_SIGNATURE'))
  const old = await sign({ mn, from: now - 8e6 })
  expect(await meeting.join({ signature: old })).toMatchObject(refused(3705, 'SIGNATURE_EXPIRED'))
  expect(await meeting.join({ passcode: 'wrong' })).toMatchObject(refused(4, 'MEETING_FAIL_PASSWORD_ERR'))
  const nowhere = { meeting_number: '12345678901', signature: await sign({ mn: '12345678901' }) }
  expect(await meeting.join(nowhere)).toMatchObject(refused(8, 'MEETING_FAIL_MEETING_NOT_EXIST'))
})

test('the app gets a token that names its owner and gives no other access', async () => {
  const { access_token, refresh_token } = (await zoom.token({ grant_type: 'client_credentials' })).body
  expect(refresh_token).toBeUndefined()
  const headers = { authorization: `Bearer ${access_token}` }
  const ana = await zoom.connect(ANA)
  const me = await fetchJson(`${zoom.apiUrl}/users/me`, { headers })
  expect(me.body.account_id).toBe((await ana.call('GET', '/users/me')).body.account_id)
  expect((await fetchJson(`${zoom.apiUrl}/users/me/settings`, { headers })).status).toBe(401)

  await zoom.control('/options', { app_account: 'elsewhere' })
  expect((await fetchJson(`${zoom.apiUrl}/users/me`, { headers })).body.account_id).toBe('elsewhere')
  await zoom.control('/options', { app_answers: false })
  expect((await fetchJson(`${zoom.apiUrl}/users/me`, { headers })).status).toBe(401)
})

test('a client sees whether it is still in the meeting, and can leave it', async () => {
  const meeting = await createMeeting(ANA)
  await meeting.happens('/start')
  const { token } = (await meeting.join()).body
  const isIn = async () => (await fetchJson(`${zoom.origin}/sdk/participants/${token}`, {})).body.is_in
  expect(await isIn()).toBe(true)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ token })
  await fetchJson(`${zoom.origin}/sdk/leave`, { method: 'POST', headers, body })
  expect(await isIn()).toBe(false)
  expect(await participantsIn('meeting.participant_left')).toMatchObject([{ customer_key: 'kim' }])
})

test('a host who started the meeting with the SDK has sound there, and on leaving takes along who joined on its behalf', async () => {
  const meeting = await createMeeting()
  const { token } = (await meeting.joinAsHost()).body
  const sound = async () => (await zoom.control('/sound')).body.participants
  expect(await sound()).toMatchObject([{ userName: 'Ravi', isHost: true, isGuest: false, audio: '' }])
  await meeting.join({ obf_token: await meeting.obf() })
  const body = JSON.stringify({ token })
  await fetchJson(`${zoom.origin}/sdk/leave`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  expect(await sound()).toEqual([]) // the host has left, and so has everyone who joined on the host's behalf
  expect(await participantsIn('meeting.participant_left')).toMatchObject([{ email: RAVI }, { customer_key: 'kim' }])
  expect(await meeting.join({ obf_token: await meeting.obf() })).toMatchObject(
    refused(501, 'MEETING_FAIL_AUTHORIZED_USER_NOT_INMEETING'),
  )
})

describe('a person in Zoom’s own app', () => {
  async function joinPlainly(body: object) {
    const headers = { 'content-type': 'application/json' }
    return fetchJson(`${zoom.origin}/zoom/join`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const sound = async () => (await zoom.control('/sound')).body.participants

  test('joins any running meeting by its passcode alone, without a customer key, or by telephone', async () => {
    const meeting = await createMeeting()
    const who = { meeting_number: String(meeting.id), passcode: meeting.passcode, user_name: 'Lee' }
    expect(await joinPlainly(who)).toMatchObject(refused(7, 'MEETING_FAIL_MEETING_NOT_START'))
    await meeting.happens('/start')
    expect(await joinPlainly({ ...who, passcode: 'wrong' })).toMatchObject(refused(4, 'MEETING_FAIL_PASSWORD_ERR'))
    expect((await joinPlainly({ ...who, customer_key: 'mine' })).body.participant).toMatchObject({ customer_key: '' })
    await joinPlainly({ ...who, user_name: '+1 555 0100', telephone: true })
    expect(await sound()).toMatchObject([
      { userName: 'Lee', isHost: false, isGuest: true, audio: '' },
      { userName: '+1 555 0100', isHost: false, isGuest: true, audio: 'phone' },
    ])
  })

  test('is host with the host’s token, and with no other', async () => {
    const meeting = await createMeeting()
    const who = { meeting_number: String(meeting.id), passcode: meeting.passcode, user_name: 'Ravi' }
    const unknown = refused(503, 'MEETING_FAIL_USER_LEVEL_TOKEN_NOT_HAVE_HOST_ZAK_OBF')
    expect(await joinPlainly({ ...who, zak: 'invented' })).toMatchObject(unknown)
    await joinPlainly({ ...who, zak: await meeting.zak() })
    expect(await sound()).toMatchObject([{ userName: 'Ravi', isHost: true }])
  })

  test('has a page, whose policy lets no other site frame it', async () => {
    const { id } = await createMeeting()
    const page = await fetch(`${zoom.origin}/zoom/j/${id}?name=%3Cb%3E`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await page.text()).toContain('value="&lt;b&gt;"')
    expect((await fetch(`${zoom.origin}/zoom/client.js`)).headers.get('content-type')).toContain('javascript')
    expect((await fetch(`${zoom.origin}/zoom/j/99999999999`)).status).toBe(404)
  })
})

describe('the start link', () => {
  const open = async (link: string) => {
    const answer = await fetch(link)
    return { status: answer.status, text: await answer.text() }
  }

  test('starts the meeting as its host, and lets a host who has left in again', async () => {
    const { call } = await zoom.connect(RAVI)
    const { id, start_url } = (await call('POST', '/users/me/meetings', { type: 3, topic: 'Trading room' })).body
    const page = await open(start_url)
    expect(page.status).toBe(200)
    for (const text of ['Trading room', 'The meeting is running', 'You can close this window'])
      expect(page.text).toContain(text)
    expect((await call('GET', `/meetings/${id}`)).body.status).toBe('started')
    await zoom.control(`/meetings/${id}/participants/leave`, { host: true })
    await open(start_url)
    expect(await participantsIn('meeting.participant_joined')).toHaveLength(1)
  })

  test('works for its own host and meeting alone, and with a token that Zoom has issued', async () => {
    const meeting = await createMeeting(ANA)
    const { call } = await zoom.connect(RAVI)
    const { start_url } = (await call('POST', '/users/me/meetings', { type: 3 })).body
    const zak = new URL(start_url).searchParams.get('zak')
    for (const link of [`/s/${meeting.id}?zak=${zak}`, `/s/${meeting.id}?zak=invented`, `/s/${meeting.id}`])
      expect((await open(`${zoom.origin}${link}`)).status).toBe(403)
    expect(await meeting.present()).toBeUndefined()
  })

  test('a guest’s link shows whether the meeting runs', async () => {
    const meeting = await createMeeting(ANA)
    const link = `${zoom.origin}/j/${meeting.id}`
    expect((await open(link)).text).toContain('The meeting has not started')
    await meeting.happens('/start')
    const running = await open(link)
    for (const text of ['The meeting is running', `href="/zoom/j/${meeting.id}"`]) expect(running.text).toContain(text)
    expect((await open(`${zoom.origin}/j/99999999999`)).status).toBe(404)
  })
})
