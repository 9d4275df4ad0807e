import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/factories/accounts.ts'
import {
  expectOnline,
  expectQueue,
  expectState,
  host,
  hostCalls,
  join,
  openOnline,
  pressUntilSent,
  raiseHand,
  server,
  setupOnline,
} from '../../../../test/pages/online-page.ts'
import { expectOffWithFocus, expectToast, press } from '../../../../test/pages/page.tsx'

await setupOnline()

describe('the queue', () => {
  test('allows, refuses and calls those who ask, one by one', async () => {
    const [amina, ben, chen] = await join('amina', 'ben', 'chen')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [chen, amina, ben]) if (phone) await raiseHand(phone)
    const { enter, calls } = await openOnline()
    await expectQueue(/^1chenwaiting \d:\d\d/, /^2aminawaiting \d:\d\d/, /^3benwaiting \d:\d\d/)
    await enter('Allow chen')
    await expectState(chen, 'listening')
    await expectQueue(/amina/, /ben/)
    await enter('Lower the hand of amina')
    await expectQueue(/ben/)
    await expectState(amina, 'muted')
    await pressUntilSent(calls, 1, () => enter('Next')) // takes the floor from the user who has it
    await expectState(ben, 'listening')
    await expectState(chen, 'muted')
    await screen.findByText('No one wants to speak')
  })

  test('says that a hand was lowered as the host allowed it, and unmutes nobody', async () => {
    const [amina] = await join('amina')
    await call(server, 'POST', `/host/users/${amina?.id}/mute`, { as: host })
    if (amina) await raiseHand(amina)
    const { enter, ...page } = await openOnline()
    await expectQueue(/amina/)
    page.before('POST', /\/unmute$/, () => call(server, 'POST', `/host/users/${amina?.id}/lower-hand`, { as: host }))
    await enter('Allow amina')
    await expectToast('amina no longer wants to speak')
    await expectOnline({ is_muted: true })
  })

  test('lets one speak by a double click on Next, and by keys that are quicker than the server', async () => {
    const [amina, ben] = await join('amina', 'ben', 'chen')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [amina, ben]) if (phone) await raiseHand(phone)
    const { user, calls } = await openOnline()
    await expectQueue(/amina/, /ben/)
    await user.dblClick(screen.getByRole('button', { name: 'Next' }))
    await expectQueue(/ben/)
    await expectState(amina, 'listening')
    await expectState(ben, 'wants-to-speak')
    expect(hostCalls(calls)).toEqual(['POST /host/next-speaker'])
    await pressUntilSent(calls, 2, () => user.keyboard('{Alt>}nn{/Alt}'))
    await expectState(ben, 'listening')
    await expectState(amina, 'muted')
    expect(hostCalls(calls)).toEqual(['POST /host/next-speaker', 'POST /host/next-speaker'])
  })

  test('lets the next one speak while an earlier answer hangs, once the room shows that turn', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [amina, ben]) if (phone) await raiseHand(phone)
    const { enter, calls, holdAnswer } = await openOnline()
    await expectQueue(/amina/, /ben/)
    holdAnswer('POST', /\/next-speaker$/)
    await enter('Next')
    await expectQueue(/ben/)
    await pressUntilSent(calls, 2, () => enter('Next'))
    await expectState(ben, 'listening')
    await expectState(amina, 'muted')
  })

  test('shows that Next is busy while its call hangs and the room shows nothing of it', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [amina, ben]) if (phone) await raiseHand(phone)
    const { enter, calls, ...page } = await openOnline()
    await expectQueue(/amina/, /ben/)
    const hanging = Promise.withResolvers<void>()
    page.before('POST', /\/next-speaker$/, () => hanging.promise)
    const isBusy = () => screen.getByRole('button', { name: 'Next' }).getAttribute('aria-busy')
    await enter('Next')
    await waitFor(() => expect(isBusy()).toBe('true'))
    await enter('Next')
    expect(hostCalls(calls)).toEqual(['POST /host/next-speaker'])
    hanging.resolve()
    await expectQueue(/ben/)
    await waitFor(() => expect(isBusy()).toBeNull())
    await pressUntilSent(calls, 2, () => enter('Next'))
    await expectState(ben, 'listening')
  })

  test('says nothing of a lost answer once the room shows the action, else that it may still happen', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [amina, ben]) if (phone) await raiseHand(phone)
    const { enter, choose, calls, refuse, loseAnswer } = await openOnline()
    await expectQueue(/amina/, /ben/)
    loseAnswer('POST', /\/next-speaker$/)
    await enter('Next')
    await expectQueue(/ben/)
    await expectState(amina, 'listening')
    const words = 'There is no connection to Parley. It may still happen; this page shows it then.'
    refuse('POST', /\/next-speaker$/, { times: 1, status: 0 })
    await pressUntilSent(calls, 2, () => enter('Next'))
    await expectToast(`Failed to unmute user. ${words}`)
    await expectState(amina, 'listening')
    loseAnswer('POST', /\/unmute$/)
    await enter('Allow ben')
    await expectState(ben, 'listening')
    refuse('POST', /\/mute$/, { times: 1, status: 0 })
    await choose('ben', 'Mute')
    await expectToast(`Failed to mute user. ${words}`)
    expect(window.shownToasts).toEqual([])
  })

  test.each([
    ['Allow amina', /\/unmute$/],
    ['Lower the hand of amina', /\/lower-hand$/],
  ])('keeps the focus on "%s" while it is under way, and takes no second press', async (name, path) => {
    const [amina] = await join('amina')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    if (amina) await raiseHand(amina)
    const { enter, calls, ...page } = await openOnline()
    await expectQueue(/amina/)
    const hanging = Promise.withResolvers<void>()
    page.before('POST', path, () => hanging.promise)
    await enter(name)
    try {
      await waitFor(() => expectOffWithFocus(screen.getByRole('button', { name })))
      await enter(name)
    } finally {
      hanging.resolve()
    }
    await screen.findByText('No one wants to speak')
    expect(hostCalls(calls)).toHaveLength(1)
  })

  test('takes the floor from whom another console has let speak', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [amina, ben]) if (phone) await raiseHand(phone)
    const { enter, calls } = await openOnline()
    await expectQueue(/amina/, /ben/)
    await call(server, 'POST', `/host/users/${amina?.id}/unmute`, { as: host })
    await expectQueue(/ben/)
    await pressUntilSent(calls, 1, () => enter('Next'))
    await expectState(ben, 'listening')
    await expectState(amina, 'muted')
  })

  test('lets one speak when two consoles press Next for the same hand, and says who it is', async () => {
    const [amina, ben] = await join('amina', 'ben')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    for (const phone of [amina, ben]) if (phone) await raiseHand(phone)
    const { enter, before } = await openOnline()
    await expectQueue(/amina/, /ben/)
    before('POST', /\/next-speaker$/, () => call(server, 'POST', '/host/next-speaker', { as: host }))
    await enter('Next')
    await expectToast('amina has been let speak already.')
    await expectQueue(/ben/)
    await expectState(amina, 'listening')
    await expectState(ben, 'wants-to-speak')
  })

  test('is moved on by keys, except while a text is entered or keys are off', async () => {
    const [amina] = await join('amina', 'ben')
    await call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host, body: {} })
    if (amina) await raiseHand(amina)
    const { user, calls } = await openOnline()
    await expectQueue(/amina/)
    const filter = screen.getByLabelText('Filter users')
    await user.type(filter, 'nmM')
    expect(filter).toHaveProperty('value', 'nmM')
    await user.clear(filter)
    filter.blur()
    await press(user, 'Turn keys off')
    await user.keyboard('{Alt>}n{/Alt}')
    await press(user, 'Turn keys on')
    expect(hostCalls(calls)).toEqual([])
    await user.keyboard('{Alt>}n{/Alt}')
    await expectState(amina, 'listening')
    await user.keyboard('{Alt>}m{/Alt}')
    await expectState(amina, 'muted')
    await user.keyboard('{Alt>}{Shift>}M{/Shift}{/Alt}')
    await waitFor(() =>
      expect(hostCalls(calls)).toEqual([
        'POST /host/next-speaker',
        `POST /host/users/${amina?.id}/mute`,
        'POST /host/trigger-bulk-mute/mute',
      ]),
    )
  })
})
