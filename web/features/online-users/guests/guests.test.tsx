import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  buildAssistant,
  buildHost,
  buildPhone,
  buildRoomUser,
  call,
  type TestHost,
} from '../../../../test/factories/accounts.ts'
import { seen, TestSeat } from '../../../../test/factories/seat.ts'
import { expectOffWithFocus, expectToast, openPage, passTime, press } from '../../../../test/pages/page.tsx'
import { stubStreams } from '../../../../test/pages/sent-stream.ts'
import { stubSound } from '../../../../test/pages/stub-sound.ts'
import { buildZoomHost, setupWithZoom } from '../../../../test/zoom/emulated-zoom.ts'
import { receiveWebhooks, webhooksProcessed, zoomIdsOf } from '../../../../test/zoom/webhooks.ts'
import { site } from '../../../lib/site.ts'

const server = await setupWithZoom()

let host: TestHost
let seat: TestSeat
let chimes: ReturnType<typeof stubSound>
beforeEach(async () => {
  site.seat_url = 'http://meeting.phone.localhost:3000/seat'
  host = await buildZoomHost(server)
  seat = new TestSeat(server, host)
  chimes = stubSound()
})

/** Reports whom the seat sees, from a console that has just taken it. */
async function report(fields: Parameters<TestSeat['report']>[0]) {
  const { db, rooms } = server.deps
  const { id: session_id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('host_id', '=', host.id)
    .executeTakeFirstOrThrow()
  const { id: room_id } = await rooms.get(host.id)
  const [taken_at, expires_at] = [new Date(), new Date(Date.now() + 600_000)]
  const lease = { seat_id: seat.seat_id, epoch: 1, session_id, by: 'Anna', taken_at, expires_at }
  await db
    .insertInto('seats')
    .values({ room_id, ...lease })
    .execute()
  seat.epoch = 1
  expect((await seat.report({ full: true, ...fields })).status).toBe(200)
}

const OFFER = /^Only users of Parley’s phone app can be muted from here/
const open = async (as: Parameters<typeof openPage>[2] = { ...host, role: 'host' }) => {
  const page = openPage(server, '/host/online', as)
  await screen.findByText('Currently Online')
  return page
}
const moderator = async () => {
  const { id, login_name, token } = await buildAssistant(server, host, 'moderator')
  return { id, token, username: login_name, role: 'moderator' as const }
}
const guests = async () => within(await screen.findByRole('region', { name: /^In Zoom only/ }))
/** Reads the names and states of the guests' tiles. */
const tilesOf = (region: ReturnType<typeof within>) =>
  within(region.getByRole('list', { name: 'In Zoom only' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('the Online page without a seat', () => {
  test('offers it to the host, with no other word', async () => {
    await open()
    await screen.findByRole('button', { name: 'Take the host’s seat' })
    expect(screen.queryByText(OFFER)).toBeNull()
    expect(screen.queryByRole('heading', { name: /^In Zoom only/ })).toBeNull()
  })

  test('is asked for once, since the stream says when it is taken', async () => {
    const streams = stubStreams()
    const { calls } = await open()
    await waitFor(() => expect(streams.opened).toHaveLength(1))
    await screen.findByRole('button', { name: 'Take the host’s seat' })
    const reads = () => calls.filter((made) => made.endsWith('/host/attendees')).length
    const before = reads()
    await passTime(130_000, async () => {})
    expect(reads()).toBe(before)
    const taken = { state: 'in', seat_id: seat.seat_id, powers: 'host', by: 'Anna', since: new Date().toISOString() }
    streams.send('seat', { ...taken, is_hidden: false, lock: false })
    await screen.findByText('The browser of Anna has the host’s seat.')
  })

  test('is not asked for where the host has not connected Zoom', async () => {
    const { calls } = await open({ ...(await buildHost(server)), role: 'host' })
    await waitFor(() => expect(calls.filter((made) => made.endsWith('/host/online-users')).length).toBeGreaterThan(3))
    expect(calls.filter((made) => made.endsWith('/host/attendees'))).toEqual([])
    expect(screen.queryByRole('button', { name: /seat/ })).toBeNull()
  })

  describe('in a running meeting', () => {
    const meeting = (what: string, body: object = {}) =>
      server.control(`/meetings/${host.rooms[0]?.zoom_meeting_id}${what}`, body)
    beforeEach(async () => {
      await receiveWebhooks(server)
      await meeting('/start')
      const anita = await buildRoomUser(server, host, { username: 'anita' })
      await meeting('/participants/join', { customer_key: anita.id, user_name: 'anita' })
    })
    const words = async () => (await screen.findByText(OFFER)).textContent
    const offers = () => screen.getAllByRole('button', { name: /co-host|seat/ }).map(({ textContent }) => textContent)
    const BASE = 'Only users of Parley’s phone app can be muted from here.'

    test('says how many others are in Zoom', async () => {
      await webhooksProcessed(server)
      await open()
      await waitFor(() => expect(offers()).toEqual(['Take the host’s seat']))
      expect(screen.queryByText(OFFER)).toBeNull()
      cleanup()
      await meeting('/participants/join', { user_name: 'Lee' })
      await webhooksProcessed(server)
      await open()
      await waitFor(async () => expect(await words()).toBe(`${BASE} 1 other is in Zoom.`))
      for (const user_name of ['Kim', 'Sam']) await meeting('/participants/join', { user_name })
      await webhooksProcessed(server)
      await waitFor(async () => expect(await words()).toBe(`${BASE} 3 others are in Zoom.`), { timeout: 10_000 })
      expect(offers()).toEqual(['Take the host’s seat'])
    })

    test.each([
      ['offers first to join as co-host', true, ['Join as co-host', 'Take the host’s seat']],
      ['offers only what Zoom admits', false, ['Take the host’s seat']],
    ])('%s where the host is in it with Zoom’s app (%s)', async (_, isOwnAccount, buttons) => {
      const { account_id } = await zoomIdsOf(server, host)
      vi.spyOn(server.deps.zoom, 'appAccount').mockResolvedValue(isOwnAccount ? account_id : 'another')
      await meeting('/participants/join', { host: true })
      await webhooksProcessed(server)
      await open()
      await screen.findByRole('button', { name: 'Take the host’s seat' })
      await waitFor(() => expect(offers()).toEqual(buttons))
      expect(screen.queryByText(OFFER)).toBeNull()
      vi.restoreAllMocks()
    })
  })

  test('mutes nobody where no phone is online', async () => {
    const { user } = await open()
    await press(user, 'Mute All')
    await expectToast('No users to perform action on')
  })

  test('offers a moderator nothing', async () => {
    const { calls } = await open(await moderator())
    await waitFor(() => expect(calls.filter((made) => made.endsWith('/host/attendees'))).not.toEqual([]))
    expect(screen.queryByRole('button', { name: /seat/ })).toBeNull()
  })

  test('says no word of it where the server has no seats, and asks nothing', async () => {
    site.seat_url = ''
    const { calls } = await open()
    await waitFor(() => expect(calls.filter((made) => made.endsWith('/host/online-users')).length).toBeGreaterThan(3))
    expect(screen.queryByText(OFFER)).toBeNull()
    expect(calls.filter((made) => /seat|attendees/.test(made))).toEqual([])
  })
})

describe('the Online page with a seat', () => {
  test('Mute All and its end reach those in Zoom, also where no phone is online', async () => {
    await report({ attendees: [seen('Lee'), seen('Kim')] })
    const { user } = await open()
    await guests()
    const lock = async () => (await call(server, 'GET', '/host/attendees', { as: host })).body.data.seat.lock
    const orders = async () => (await seat.report()).body.data.commands.map((one: { do: string }) => one.do)
    await press(user, 'Mute All')
    await waitFor(async () => expect(await lock()).toBe(true))
    expect(await orders()).toEqual(['mute-all'])
    await press(user, 'Unmute All')
    await waitFor(async () => expect(await lock()).toBe(false))
  })

  test.each(['host', 'moderator'] as const)(
    'shows a %s who is in Zoom only, with what can be said of them',
    async (role) => {
      const anita = await buildRoomUser(server, host, { username: 'anita' })
      await buildPhone(server, host, anita)
      await report({
        attendees: [
          seen('Lee'),
          seen('Kim', { muted: true, hand: true }),
          seen('Otter', { muted: true, is_bot: true }),
          seen('+1 415', { audio: 'phone', muted: true }),
          seen('Nobody hears me', { audio: '', muted: null }),
          seen('anita on the app', { customer_key: anita.id }),
          seen('The seat', { is_self: true, is_host: true }),
        ],
        speaking: ['key-Lee'],
      })
      await open(role === 'host' ? undefined : await moderator())
      const region = await guests()
      await waitFor(() => expect(tilesOf(region)).toHaveLength(5))
      expect(tilesOf(region).toSorted()).toEqual(
        [
          '+1 415Muted, Telephone',
          'KimWants to speak',
          'LeeSpeaking',
          'Nobody hears meNo sound',
          'OtterMuted, Bot',
        ].toSorted(),
      )
      region.getByRole('button', { name: 'Mute Lee' })
      region.getByRole('button', { name: 'Ask Kim to unmute' })
      expect(region.queryByRole('button', { name: /Nobody hears me to unmute|Mute Nobody/ })).toBeNull()
      expect(screen.getByText('In Zoom only', { selector: 'dt' }).parentElement?.textContent).toBe('In Zoom only5')
      screen.getByText('Seat in Zoom')
      expect(screen.queryByText(OFFER)).toBeNull()
    },
  )

  test('the search finds those in Zoom only too, and Enter goes to the first of them', async () => {
    await report({ attendees: [seen('Lee'), seen('Kim'), seen('Ｚoë Stranger')] })
    const anita = await buildPhone(server, host, await buildRoomUser(server, host, { username: 'anita' }))
    await call(server, 'POST', '/mobile/status', { as: anita })
    const { user } = await open()
    const region = await guests()
    await waitFor(() => expect(tilesOf(region)).toHaveLength(3))
    await user.keyboard('ZOË')
    await waitFor(() => expect(tilesOf(region)).toEqual(['Ｚoë StrangerMicrophone on']))
    region.getByRole('heading', { name: 'In Zoom only (1 of 3)' })
    region.getByText('1 of 3 in Zoom only shown')
    screen.getByText(/^No online user has/)
    expect(screen.queryByText('No users found')).toBeNull() // would push them out of sight
    await user.keyboard('{Enter}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions for Ｚoë Stranger')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(tilesOf(region)).toHaveLength(3))
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions for Ｚoë Stranger')
    await user.keyboard('q')
    await waitFor(() => region.getByText(/^No name in Zoom only has/))
    screen.getByText('No users found')
    expect(region.queryByRole('list', { name: 'In Zoom only' })).toBeNull()
  })

  test('lists who waits in the waiting room', async () => {
    await report({ attendees: [seen('Lee', { is_hold: true }), seen('Kim', { is_hold: true })] })
    await open()
    const region = await guests()
    await region.findByText('2 in Zoom’s waiting room')
    region.getByRole('button', { name: 'Admit Lee' })
    region.getByRole('button', { name: 'Admit all' })
    expect(region.queryByRole('list', { name: 'In Zoom only' })).toBeNull()
  })

  test('shows no button to a moderator that the server refuses', async () => {
    await report({ attendees: [seen('Lee', { is_hold: true }), seen('Kim')] })
    await open(await moderator())
    const region = await guests()
    await region.findByText('1 in Zoom’s waiting room')
    expect(region.queryByRole('button', { name: /Admit/ })).toBeNull()
  })

  const ASK = 'Ask everyone in Zoom to unmute'

  test('asks everyone to unmute once the host has confirmed it, and says when Zoom asks', async () => {
    const streams = stubStreams()
    await report({ attendees: [seen('Lee', { muted: true })] })
    const { user, calls } = await open()
    await waitFor(() => expect(streams.opened).toHaveLength(1))
    const region = await guests()
    const asked = () => calls.filter((made) => made.endsWith('/host/attendees/ask-unmute-all'))
    await press(user, ASK, region)
    await press(user, 'Cancel', within(await screen.findByRole('dialog', { name: `${ASK}?` })))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked()).toEqual([])
    await press(user, ASK, region)
    await press(user, 'Ask everyone', within(await screen.findByRole('dialog', { name: `${ASK}?` })))
    await waitFor(() => expect(ordered()).toMatchObject([{ do: 'ask-all' }]))
    streams.send('command-settled', { id: ordered()[0]?.id, outcome: 'done', by: 'seat' })
    await expectToast('Zoom asks everyone to unmute')
    expect(asked()).toHaveLength(1)
  })

  test('offers to ask everyone neither to a moderator, nor without powers, nor while Mute All holds there', async () => {
    await report({ attendees: [seen('Lee', { muted: true })] })
    await open(await moderator())
    await (await guests()).findByRole('button', { name: 'Ask Lee to unmute' })
    expect(screen.queryByRole('button', { name: ASK })).toBeNull()
    cleanup()
    await open()
    await screen.findByRole('button', { name: ASK })
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: { lock: true } })
    await waitFor(() => expect(screen.queryByRole('button', { name: ASK })).toBeNull())
    await call(server, 'POST', '/host/trigger-bulk-mute/unmute', { as: host, body: {} })
    await screen.findByRole('button', { name: ASK })
    await seat.report({ state: { powers: 'none' } })
    await waitFor(() => expect(screen.queryByRole('button', { name: ASK })).toBeNull())
  })

  const ordered = () => server.deps.rooms.peek(host.id)?.seat.pendingCommands() ?? []
  const namesIn = (list: string) =>
    within(screen.getByRole('list', { name: list }))
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label'))

  test('shows a guest who speaks among the speakers, whose button mutes the guest', async () => {
    await report({ attendees: [seen('Lee'), seen('Kim')], speaking: ['key-Lee'] })
    const { user } = await open()
    const list = await screen.findByRole('list', { name: 'Speaking now' })
    expect(list.textContent).toBe('Leein Zoom')
    expect(namesIn('Speaking now')).toEqual(['Mute Lee'])
    const mute = within(list).getByRole('button', { name: 'Mute Lee' })
    mute.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(ordered()).toMatchObject([{ do: 'mute', key: 'key-Lee' }]))
    expectOffWithFocus(mute)
    await seat.report({ speaking: [] })
    await screen.findByText('No one is speaking')
  })

  test('lists the hands of guests after those of users, and Next passes over them', async () => {
    const streams = stubStreams()
    await report({ attendees: [seen('Kim', { muted: true, hand: true }), seen('Sam', { audio: '', hand: true })] })
    const { user } = await open()
    await waitFor(() => expect(streams.opened).toHaveLength(1))
    const list = await screen.findByRole('list', { name: 'Raised hands, in order' })
    const hands = () =>
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
        .toSorted()
    expect(hands()).toEqual(['Kimin ZoomAllow', 'Samin Zoom, without soundAllow'])
    expect(document.title).toMatch(/^\(2\) /)
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true)
    expect(screen.getByRole('button', { name: 'Allow Sam' }).getAttribute('aria-disabled')).toBe('true')
    const anita = await buildPhone(server, host, await buildRoomUser(server, host, { username: 'anita' }))
    await call(server, 'POST', '/mobile/status', { as: anita, body: { wants_to_speak: true } })
    await waitFor(() => expect(list.querySelector('li')?.textContent).toMatch(/^1anitawaiting/))
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', false)

    const allow = screen.getByRole('button', { name: 'Allow Kim' })
    allow.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(ordered()).toMatchObject([{ do: 'ask-unmute', key: 'key-Kim' }]))
    expectOffWithFocus(allow)
    const [asked] = ordered()
    await seat.report({ done: [{ id: asked?.id ?? '', outcome: 'done' }] })
    streams.send('command-settled', { id: asked?.id, outcome: 'done', by: 'seat' })
    await waitFor(() => expect(ordered()).toMatchObject([{ do: 'lower-hand', key: 'key-Kim' }]))
    expect(screen.getByRole('button', { name: 'Lower the hand of Kim' }).getAttribute('aria-disabled')).toBe('true')
    const done = ordered().map(({ id }) => ({ id, outcome: 'done' as const }))
    await seat.report({ attendees: [seen('Kim', { muted: true })], done })
    streams.send('command-settled', { id: done[0]?.id, outcome: 'done', by: 'seat' })
    await waitFor(() => expect(hands()).toEqual([expect.stringMatching(/anita/), expect.stringMatching(/^Sam/)]))

    screen.getByRole('button', { name: 'Lower the hand of Sam' }).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(ordered()).toMatchObject([{ do: 'lower-hand', key: 'key-Sam' }]))
  })

  test('the guests’ menu opens by keyboard, acts, and gives the focus back', async () => {
    await report({ attendees: [seen('Lee', { hand: true })] })
    const { user } = await open()
    const face = await (await guests()).findByRole('button', { name: 'Actions for Lee' })
    const choose = async (...keys: string[]) => {
      await waitFor(() => expect(document.activeElement?.closest('[data-guest]')?.contains(face)).toBe(true))
      await user.keyboard('{Enter}')
      const menu = await screen.findByRole('menu')
      const items = within(menu).getAllByRole('menuitem')
      for (const key of keys) await user.keyboard(key)
      return { menu, items: items.map(({ textContent }) => textContent) }
    }
    face.focus()
    const { items } = await choose('{Escape}')
    expect(items).toEqual([
      ...['Mute', 'Let speak under Mute All', 'Lower hand', 'Send to the waiting room', 'Remove from the meeting'],
    ])
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await choose()
    ;(await screen.findByRole('menuitem', { name: 'Lower hand' })).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(ordered()).toMatchObject([{ do: 'lower-hand', key: 'key-Lee' }]))
    await waitFor(() => expect(document.activeElement).toBe(face))
  })

  test('a button above the bar leads to the guests, who come after all users', async () => {
    await report({ attendees: [seen('Kim'), seen('Lee')] })
    const { user } = await open()
    ;(await screen.findByRole('button', { name: 'See the 2 in Zoom only' })).focus()
    await user.keyboard('{Enter}')
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'In Zoom only (2)' }))
    await seat.report({ left: ['key-Kim', 'key-Lee'] })
    await waitFor(() => expect(screen.queryByRole('button', { name: /^See the/ })).toBeNull())
  })

  test('who is admitted or removed leaves the focus to the next one, and the last one to the title', async () => {
    const held = { is_hold: true, audio: '' as const, muted: null }
    await report({ attendees: [seen('Ann', held), seen('Bob', held), seen('Kim'), seen('Lee')] })
    const { user } = await open()
    await guests()
    const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
    const done = () => ({ done: ordered().map(({ id }) => ({ id, outcome: 'done' as const })) })
    screen.getByRole('button', { name: 'Admit Ann' }).focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(ordered()).toMatchObject([{ do: 'admit', key: 'key-Ann' }]))
    expect(focused()).toBe('Admit Ann') // until she is in
    await seat.report({ attendees: [seen('Ann')], ...done() })
    await waitFor(() => expect(focused()).toBe('Admit Bob'))
    await seat.report({ left: ['key-Bob'] })
    await waitFor(() => expect(focused()).toMatch(/^In Zoom only/))

    screen.getByRole('button', { name: 'Actions for Kim' }).focus()
    await seat.report({ left: ['key-Kim'] })
    await waitFor(() => expect(focused()).toMatch(/^Actions for /))
    for (const name of ['Ann', 'Lee']) await seat.report({ left: [`key-${name}`] })
    await waitFor(() => expect(focused()).toMatch(/^In Zoom only/))
  })

  test('the guests’ menu follows its guest, and ignores presses right after a change', async () => {
    await report({ attendees: [seen('Lee', { hand: true })] })
    const { user } = await open()
    ;(await (await guests()).findByRole('button', { name: 'Actions for Lee' })).focus()
    await user.keyboard('{Enter}')
    const menu = within(await screen.findByRole('menu'))
    const offered = () =>
      menu
        .getAllByRole('menuitem')
        .filter((item) => item.getAttribute('aria-disabled') !== 'true')
        .map(({ textContent }) => textContent)
    const microphone = menu.getByRole('menuitem', { name: 'Mute' })
    microphone.focus()
    await seat.report({ attendees: [seen('Lee', { muted: true })] })
    await waitFor(() => expect(microphone.textContent).toBe('Ask to unmute'))
    await user.keyboard('{Enter}')
    expect([screen.queryAllByRole('menu').length, ordered()]).toEqual([1, []])
    expect(offered()).toEqual([
      ...['Ask to unmute', 'Let speak under Mute All', 'Send to the waiting room', 'Remove from the meeting'],
    ])
    menu.getByRole('menuitem', { name: 'Lower hand' }) // in its place
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 600)
    await user.keyboard('{Enter}')
    clock.mockRestore()
    await waitFor(() => expect(ordered()).toMatchObject([{ do: 'ask-unmute', key: 'key-Lee' }]))
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  })

  test('the guests’ menu has for a moderator what a moderator may do', async () => {
    await report({ attendees: [seen('Lee', { muted: true })] })
    const { user } = await open(await moderator())
    ;(await (await guests()).findByRole('button', { name: 'Actions for Lee' })).focus()
    await user.keyboard('{Enter}')
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Ask to unmute', 'Let speak under Mute All'])
  })

  test.each([
    ['chimes once', 'true', 2], // two notes
    ['is silent where the host has turned sounds off', 'false', 0],
  ])('a lost seat %s', async (_, setting, notes) => {
    localStorage.setItem('parley.phone-chime', setting)
    await report({ attendees: [seen('Lee')] })
    const { user } = await open()
    await screen.findByText('Seat in Zoom')
    await user.click(document.body) // a press unlocks sound
    await (await server.deps.rooms.get(host.id)).seat.end(seat.epoch, 'lost', Date.now())
    await screen.findByText(/^Last seen /)
    await waitFor(() => expect(chimes).toHaveBeenCalledTimes(notes))
  })

  test('lets Mute All spare those in Zoom, and remembers it', async () => {
    await report({ attendees: [seen('Lee')] })
    const { user } = await open()
    const also = await screen.findByRole<HTMLInputElement>('switch', { name: 'Mute All also in Zoom' })
    expect(also.checked).toBe(true)
    await user.click(also)
    await waitFor(() => expect(also.checked).toBe(false))
    expect(localStorage.getItem('parley.mute-all-in-zoom')).toBe('off')
  })

  test('says so in words where the seat has no power', async () => {
    await report({ attendees: [seen('Lee')], state: { powers: 'none' } })
    await open()
    await screen.findByText('The host’s seat sees who is in Zoom, but has no power to mute there.')
    const region = await guests()
    expect(region.getByRole('button', { name: 'Mute Lee' }).getAttribute('aria-disabled')).toBe('true')
  })

  test.each([['Mute Lee'], ['Actions for Lee']])(
    'the focus stays on “%s” while the seat has no power, and a press does nothing',
    async (name) => {
      await report({ attendees: [seen('Lee')] })
      const { user, calls } = await open()
      const region = await guests()
      const button = await region.findByRole('button', { name })
      button.focus()
      await seat.report({ state: { powers: 'none' } })
      await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'), { timeout: 10_000 })
      expect(document.activeElement).toBe(button)
      await user.keyboard('{Enter}')
      await user.click(button)
      expect(calls.filter((made) => made.startsWith('POST /host/attendees/'))).toEqual([])
      expect(screen.queryByRole('menu')).toBeNull()
      await seat.report({ state: { powers: 'host' } })
      await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull(), { timeout: 10_000 })
      expect(document.activeElement).toBe(button)
    },
  )

  test('a lost seat is said once, and those whom it saw are greyed with the time', async () => {
    await report({ attendees: [seen('Lee')] })
    await open()
    const region = await guests()
    await region.findByRole('button', { name: 'Mute Lee' })
    await server.deps.db
      .updateTable('seats')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    await seat.report({ state: { connection: 'reconnecting' } })
    const room = await server.deps.rooms.get(host.id)
    await room.seat.end(seat.epoch, 'lost', Date.now())
    const said = await screen.findByText(/^The host’s seat is lost\. Those in Zoom only are no longer seen or muted\./)
    expect(said.getAttribute('role')).toBe('status')
    await region.findByText(/^Last seen \d\d:\d\d:\d\d$/)
    expect(region.queryByRole('button', { name: 'Mute Lee' })).toBeNull()
    screen.getByText('Seat lost')
  })
})
