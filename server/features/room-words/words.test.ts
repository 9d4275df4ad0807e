import { beforeEach, describe, expect, test } from 'vitest'
import { USER_WORDS_MAX, WORD_MAX } from '../../../shared/room-words.ts'
import {
  buildAssistant,
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  requestStream,
  type TestHost,
  type TestPhone,
} from '../../../test/factories/accounts.ts'
import { setup } from '../../../test/servers/setup.ts'
import { openStream } from '../../../test/servers/stream.ts'

let now = Date.now()
const server = await setup({ now: () => now })
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
let host: TestHost
let anita: TestPhone
let ravi: TestPhone

type As = { as?: { token: string }; headers?: Record<string, string> }
const SOON = { text: 'We begin in five minutes', rings: true, asks: false }
const ASKING = { text: 'Can you hear me?', rings: false, asks: true }
const put = (path: string, body: object, { as = host, ...rest }: As = {}) =>
  call(server, 'PUT', path, { as, body, ...rest })
const toRoom = (body: object = SOON, options: As = {}) => put('/host/word', body, options)
const toUser = ({ id }: { id: string }, body: object = SOON, options: As = {}) =>
  put(`/host/users/${id}/word`, body, options)
const takeBack = (id: string, as: { token: string } = host) => call(server, 'DELETE', `/host/words/${id}`, { as })
const confirm = (as: TestPhone | TestHost, id: string, body?: unknown) =>
  call(server, 'POST', `/mobile/words/${id}/confirm`, { as, ...(body !== undefined && { body }) })
const report = async (as: TestPhone) => (await call(server, 'POST', '/mobile/status', { as, body: {} })).body.data
const shownTo = async (phone: TestPhone) =>
  (await report(phone)).words.list.map(({ text, answer }: { text: string; answer: string | null }) => [text, answer])
const standing = async (of = host) => (await call(server, 'GET', '/host/online-users', { as: of })).body.words
const streamOf = async (phone: TestPhone) => openStream(origin + (await requestStream(server, host, phone)).body.sseUrl)
const auditOf = async () => {
  const { body } = await call(server, 'GET', '/host/audit', { as: host })
  return body.data.entries.filter(({ action }: { action: string }) => action.startsWith('word_'))
}
async function join(username: string): Promise<TestPhone> {
  const phone = await buildPhone(server, host, await buildRoomUser(server, host, { username }))
  await report(phone)
  return phone
}

beforeEach(async () => {
  now += 60_000 // each test has the limits of a new minute
  host = await buildHost(server)
  anita = await join('anita')
  ravi = await join('ravi')
})

describe('a word to the room', () => {
  test('comes by the stream and with each status call, until it is read or taken back', async () => {
    const stream = await streamOf(anita)
    const { status, body } = await toRoom()
    expect([status, body.data]).toMatchObject([200, { targeted: 2, reachable: 1 }])
    const { word } = body.data
    const shown = { id: word, to: 'room', text: SOON.text, rings: true, asks: false, answer: null }
    expect((await stream.next('word')).data).toMatchObject({ to: 'room', word: shown })
    expect((await report(ravi)).words.list).toEqual([shown])
    expect((await (await streamOf(ravi)).next('word')).data).toMatchObject({ word: shown }) // a stream that opens later
    expect((await confirm(ravi, word)).body.data.words.list).toEqual([])
    expect(await shownTo(ravi)).toEqual([])
    expect(await shownTo(await join('a later one'))).toEqual([[SOON.text, null]])
    expect((await takeBack(word)).status).toBe(200)
    expect((await stream.next('word')).data).toMatchObject({ to: 'room', word: null })
    expect(await shownTo(anita)).toEqual([])
  })

  test('is counted as read and answered, where the last answer counts', async () => {
    const { word } = (await toRoom(ASKING)).body.data
    for (const answer of ['badly', 'well']) expect((await confirm(anita, word, { answer })).status).toBe(200)
    for (const _ of [1, 2]) await confirm(ravi, word)
    await expect.poll(() => standing()).toMatchObject([{ id: word, user: null, read: 2, of: 2, well: 1, badly: 0 }])
    expect(await shownTo(anita)).toEqual([[ASKING.text, 'well']])
    await confirm(anita, word)
    expect(await shownTo(anita)).toEqual([])
    const [{ by, at }] = await standing()
    expect([by, Date.parse(at)]).toEqual([{ id: host.id, name: host.username }, now])
  })

  test('is replaced by the next one, and a late press on the first changes nothing', async () => {
    const first = (await toRoom()).body.data.word
    const second = (await toRoom(ASKING)).body.data.word
    expect(await confirm(anita, first)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await takeBack(first)).status).toBe(404)
    expect(await standing()).toMatchObject([{ id: second, read: 0 }])
  })

  test('of two who send one at the same time stays that of the first, if they named what they saw', async () => {
    const moderator = await buildAssistant(server, host, 'moderator', 'Deputy')
    const seen = { expect: { word: null } }
    const answers = await Promise.all([toRoom({ ...SOON, ...seen }), toRoom({ ...ASKING, ...seen }, { as: moderator })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ code: 'state_changed', message: expect.stringMatching(/has sent a word/) })
    const [{ id, text }] = await standing()
    expect([await standing(), (await toRoom({ ...SOON, expect: { word: id } })).status]).toMatchObject([
      [{ text }],
      200,
    ])
    expect((await auditOf()).length).toBe(2)
  })

  test('is sent once by a call that is repeated with its key', async () => {
    const headers = { 'idempotency-key': 'word-once' }
    const [first, again] = [await toRoom(SOON, { headers }), await toRoom(SOON, { headers })]
    expect(again.body).toEqual(first.body)
    expect((await auditOf()).length).toBe(1)
  })

  test('is in the log, as is what is taken back, with who did it', async () => {
    const moderator = await buildAssistant(server, host, 'moderator', 'Deputy')
    const { word } = (await toRoom(SOON, { as: moderator })).body.data
    await confirm(anita, word)
    await takeBack(word)
    await toUser(anita, ASKING)
    expect(await auditOf()).toMatchObject([
      { action: 'word_sent', target: { id: anita.id }, after: { to: 'user', ...ASKING } },
      { action: 'word_taken_back', before: { text: SOON.text }, after: { to: 'room', read: 1 } },
      { action: 'word_sent', actor: { name: 'Deputy' }, after: { to: 'room', ...SOON } },
    ])
  })

  test('is refused in a stopped room, and by an ended session', async () => {
    await call(server, 'POST', '/host/profile/stop', { as: host })
    expect(await toRoom()).toMatchObject({ status: 403, body: { code: 'room_stopped' } })
    await call(server, 'POST', '/host/profile/activate', { as: host })
    expect((await toRoom()).status).toBe(200)
    await call(server, 'POST', '/auth/host/logout', { as: host })
    expect((await toRoom()).status).toBe(401)
  })
})

describe('a word to one user', () => {
  test('stands on that phone alone, beside the word to the room', async () => {
    const [hers, his] = [await streamOf(anita), await streamOf(ravi)]
    await toUser(anita, ASKING)
    await toRoom()
    expect((await his.next('word')).data).toMatchObject({ to: 'room' })
    expect((await hers.next('word')).data).toMatchObject({ to: 'user', user_id: anita.id })
    expect(await shownTo(anita)).toEqual([
      [ASKING.text, null],
      [SOON.text, null],
    ])
    expect(await standing()).toMatchObject([{ user: null }, { user: { id: anita.id, username: 'anita' }, of: 1 }])
  })

  test('is confirmed by nobody else', async () => {
    const { word } = (await toUser(anita, ASKING)).body.data
    expect((await confirm(ravi, word)).status).toBe(404)
    expect((await confirm(ravi, word, { answer: 'well' })).status).toBe(404)
    expect((await confirm(anita, word, { answer: 'badly' })).status).toBe(200)
    await expect.poll(() => standing()).toMatchObject([{ read: 1, badly: 1 }])
  })

  test('waits for a user who is not online', async () => {
    const away = await buildRoomUser(server, host)
    expect((await toUser(away)).body.data).toMatchObject({ targeted: 0 })
    expect(await shownTo(await buildPhone(server, host, away))).toEqual([[SOON.text, null]])
  })

  test('stands on so many phones at most; the oldest that was read makes place', async () => {
    const users = await Promise.all(Array.from({ length: USER_WORDS_MAX }, () => buildRoomUser(server, host)))
    const send = async (to: { id: string }) => {
      now += 3_000
      return toUser(to)
    }
    for (const user of users) expect((await send(user)).status).toBe(200)
    expect(await send(anita)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const [first, second, third] = users
    if (!first || !second || !third) throw new Error('There are too few users')
    expect((await send(third)).status).toBe(200) // in place of the one before
    for (const reader of [third, second]) {
      const phone = await buildPhone(server, host, reader)
      expect((await confirm(phone, (await report(phone)).words.list[0].id)).status).toBe(200)
    }
    expect((await send(anita)).status).toBe(200)
    const names = (await standing()).map(({ user }: { user: { username: string } }) => user.username)
    expect([names.length, names.includes(second.username), names.at(-1)]).toEqual([USER_WORDS_MAX, false, 'anita'])
  })
})

describe('a call about a word', () => {
  test('is refused without a text or its choices, with another type, and with text that is no short line', async () => {
    for (const body of [
      {},
      { rings: true, asks: true },
      { text: 'one', asks: true },
      { text: 'one', rings: true },
      { ...SOON, text: '   ' },
      { ...SOON, text: 7 },
      { ...SOON, asks: 'yes' },
      { ...SOON, text: 'x'.repeat(WORD_MAX + 1) },
      { ...SOON, text: 'one\ntwo' },
      { ...SOON, text: 'one\u0007two' },
      { ...SOON, text: 'one\u202etwo' },
      { ...SOON, expect: 'word' },
    ])
      for (const send of [() => toRoom(body), () => toUser(anita, body)])
        expect([body, await send()]).toMatchObject([body, { status: 422, body: { code: 'invalid_input' } }])
    expect(await standing()).toEqual([])
  })

  test('holds text of the whole length', async () => {
    const text = 'अ'.repeat(WORD_MAX)
    expect((await toRoom({ ...SOON, text })).status).toBe(200)
    expect(await shownTo(anita)).toEqual([[text, null]])
  })

  test("is refused for another host's user and word, and for ids that are none", async () => {
    const other = await buildHost(server)
    const { word } = (await toRoom(ASKING)).body.data
    expect((await toUser(anita, SOON, { as: other })).status).toBe(404)
    expect((await takeBack(word, other)).status).toBe(404)
    const stranger = await buildPhone(server, other, await buildRoomUser(server, other))
    expect((await confirm(stranger, word)).status).toBe(404)
    for (const id of ['nobody', host.id]) {
      expect([id, (await toUser({ id })).status, (await takeBack(id)).status]).toEqual([id, 404, 404])
      expect([id, (await confirm(anita, id)).status]).toEqual([id, 404])
    }
    expect(await standing()).toMatchObject([{ id: word, read: 0 }])
  })

  test('is not for phones, nor is a confirmation for consoles', async () => {
    const { word } = (await toRoom(ASKING)).body.data
    expect([(await toRoom(SOON, { as: anita })).status, (await takeBack(word, anita)).status]).toEqual([403, 403])
    expect((await confirm(host, word)).status).toBe(403)
  })

  test('confirms with an answer that there is, and that was asked for', async () => {
    const { word } = (await toRoom()).body.data
    expect(await confirm(anita, word, { answer: 'well' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    for (const body of [{ answer: 'loudly' }, { answer: 7 }, [], 'well'])
      expect([body, (await confirm(anita, word, body)).status]).toEqual([body, 422])
    expect(await standing()).toMatchObject([{ read: 0 }])
  })

  test('comes twenty times at once, and a confirmation too', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 21; count++) statuses.push((await toRoom()).status)
    expect(statuses).toEqual([...Array(20).fill(200), 429])
    expect((await takeBack((await standing())[0].id)).status).toBe(429)
    now += 3_000
    const { word } = (await toRoom(ASKING)).body.data
    expect((await toRoom()).status).toBe(429)
    const confirmed: number[] = []
    for (let count = 0; count < 21; count++)
      confirmed.push((await confirm(anita, word, { answer: count % 2 ? 'well' : 'badly' })).status)
    expect(confirmed).toEqual([...Array(20).fill(200), 429])
  })
})
