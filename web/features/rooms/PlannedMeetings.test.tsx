import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PlanMeeting } from '../../../shared/planned-meetings.ts'
import { buildHost, call, type TestHost } from '../../../test/factories/accounts.ts'
import { planMeeting } from '../../../test/factories/planned-meetings.ts'
import { expectToast, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})

const open = () => openPage(server, '/host/rooms', { ...host, role: 'host' })
const section = () => screen.findByRole('region', { name: 'Planned meetings' })
const stored = async () =>
  (await call(server, 'GET', '/host/planned-meetings', { as: host })).body.data.planned_meetings
/** The keyboard acts where a list has just appeared, which ignores clicks. */
const pressKey = async (user: UserEvent, name: string) => {
  ;(await screen.findByRole('button', { name })).focus()
  await user.keyboard('{Enter}')
}
const once = { weekdays: [], first_day: '2099-12-01' } satisfies Partial<PlanMeeting>

describe('Planned meetings', () => {
  test('are planned, after what is wrong is corrected', async () => {
    const { user } = open()
    await screen.findByText(/^No meeting is planned\./)
    await press(user, 'Plan a meeting')
    const dialog = within(await screen.findByRole('dialog', { name: 'Plan a meeting' }))
    for (const day of dialog.getAllByRole('checkbox', { checked: true })) await user.click(day)
    await user.clear(dialog.getByLabelText('Length in minutes'))
    await press(user, 'Plan meeting')
    dialog.getByText('Choose a day of the week')
    dialog.getByText('Choose a length from 5 minutes to 24 hours')
    await user.click(dialog.getByRole('checkbox', { name: 'Tuesday' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Friday' }))
    await user.type(dialog.getByLabelText('Length in minutes'), '90')
    await press(user, 'Plan meeting')
    await expectToast('Meeting planned')
    await screen.findByText('Every Tuesday and Friday, 19:00 to 20:30')
    expect(await stored()).toMatchObject([{ weekdays: ['TU', 'FR'], time: '19:00', minutes: 90, last_day: null }])
  })

  test('show the server’s objection beside its field', async () => {
    await planMeeting(server, host, once)
    const { user, refuse } = open()
    await pressKey(user, 'Edit Tuesday 1 December 2099, 19:30 to 21:00')
    const wrong = [{ path: 'first_day', msg: 'This time has passed. Choose a later day or time' }]
    refuse('PUT', /planned-meetings/, { times: 1, status: 422, message: 'Wrong', errors: wrong })
    await press(user, 'Save')
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByText('This time has passed. Choose a later day or time')
    expect(dialog.getByLabelText('Day').getAttribute('aria-invalid')).toBe('true')
  })

  test('name the night on which the clocks skip their time', async () => {
    const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin')
    let change = now.getTimeZoneTransition('next')
    if (change && change.offsetNanoseconds < now.offsetNanoseconds) change = change.getTimeZoneTransition('next')
    await planMeeting(server, host, { weekdays: ['SU'], time: '02:30', minutes: 1430 })
    open()
    const night = change?.toPlainDate().toLocaleString('en-GB', { dateStyle: 'full' }).replace(',', '')
    await screen.findByText(`On ${night} the clocks skip 02:30: that meeting begins at 03:30.`)
    screen.getByText('Every Sunday, 02:30 to 02:20 the next day')
  })

  test('are not overwritten by an older form, which shows what they are now', async () => {
    const { id } = await planMeeting(server, host, once)
    const { user } = open()
    await pressKey(user, 'Edit Tuesday 1 December 2099, 19:30 to 21:00')
    const elsewhere = { ...once, time: '20:00', minutes: 60, time_zone: 'Europe/Berlin' }
    await call(server, 'PUT', `/host/planned-meetings/${id}`, { as: host, body: elsewhere })
    const length = within(await screen.findByRole('dialog')).getByLabelText('Length in minutes')
    await user.clear(length)
    await user.type(length, '30')
    await press(user, 'Save')
    await screen.findByText(/^The meeting is now: Tuesday 1 December 2099, 20:00 to 21:00 \(Europe\/Berlin\)\./)
    screen.getByText('Someone else has changed this meeting in the meantime. Nothing was saved.')
    expect(await stored()).toMatchObject([{ time: '20:00', minutes: 60 }])
    await press(user, 'Save')
    await expectToast('Planned meeting saved')
    expect(await stored()).toMatchObject([{ time: '19:30', minutes: 30 }])
  })

  test('are removed after a question, and the focus stays in the section', async () => {
    await planMeeting(server, host, once)
    const { user } = open()
    await pressKey(user, 'Remove Tuesday 1 December 2099, 19:30 to 21:00')
    await press(user, 'Remove')
    await expectToast('Planned meeting removed')
    await screen.findByText(/^No meeting is planned\./)
    const heading = screen.getByRole('heading', { name: 'Planned meetings' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(await stored()).toEqual([])
  })

  test('cannot be more than twenty', async () => {
    for (let count = 0; count < 20; count++) await planMeeting(server, host, once)
    open()
    await screen.findByText('A room has at most 20 planned meetings.')
    expect(screen.getByRole('button', { name: 'Plan a meeting' })).toHaveProperty('ariaDisabled', 'true')
  })

  test('can be loaded again', async () => {
    const { user, refuse } = open()
    const stop = refuse('GET', /planned-meetings/)
    const failed = within(await section())
    await failed.findByText('Failed to load the planned meetings')
    stop()
    await press(user, 'Try again')
    await screen.findByText(/^No meeting is planned\./)
  })

  test('are named by the dashboard', async () => {
    await planMeeting(server, host, { ...once, time_zone: Temporal.Now.timeZoneId() })
    openPage(server, '/host/dashboard', { ...host, role: 'host' })
    const link = await screen.findByRole('link', { name: 'Tuesday 1 December 2099, 19:30' })
    expect(link.getAttribute('href')).toBe('/host/rooms')
  })
})
