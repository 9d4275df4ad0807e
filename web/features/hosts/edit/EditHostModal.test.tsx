import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { addMonths, DAY_MS } from '../../../../shared/dates.ts'
import { datesOf, extendDates } from '../../../../shared/subscription-dates.ts'
import { buildHost, buildMaster, call, PASSWORD, type TestHost } from '../../../../test/factories/accounts.ts'
import { fill, inDialog, openPage, passTime, press } from '../../../../test/pages/page.tsx'
import { setup } from '../../../../test/servers/setup.ts'

const EndDate = z.object({ subscription_end_date: z.string() })

const rightNow = Date.now
const server = await setup({ now: () => rightNow() })
let master: Awaited<ReturnType<typeof buildMaster>>
let host: TestHost
beforeEach(async () => {
  master = await buildMaster(server)
  host = await buildHost(server)
})

async function openEdit() {
  const page = openPage(server, '/master/hosts', { ...master, role: 'master' })
  await press(page.user, `Edit ${host.username}`)
  const form = await inDialog('Edit Host')
  const enter = (label: string | RegExp, text: string) => fill(form.getByLabelText(label), text)
  return { ...page, form, enter, save: () => press(page.user, 'Save changes', form) }
}
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const saved = async (): Promise<unknown> =>
  (await call(server, 'GET', `/admin/hosts/${host.id}`, { as: master })).body.data

describe('Edit Host', () => {
  test('shows each error under its field', async () => {
    const other = await buildHost(server)
    const { form, enter, save } = await openEdit()
    const describedBy = (name: string | RegExp, description: string | RegExp) =>
      form.findByRole('textbox', { name, description })
    enter(/^Username/, '')
    enter(/^Email/, 'nonsense')
    enter(/^Storage limit/, '101')
    enter(/^New Password/, 'short')
    await save()
    await describedBy(/^Username/, 'Username is required')
    await describedBy(/^Email/, 'Invalid email address')
    await describedBy(/^Storage limit/, /Storage limit must be between 1 and 100 GB/)
    await form.findByText(/Password must be at least 6 characters/)

    enter(/^Username/, 'asha\u2060')
    enter(/^Email/, other.email)
    enter(/^Storage limit/, '20')
    await save()
    await describedBy(/^Username/, /cannot be seen \(word joiner, U\+2060\)/)
    enter(/^Username/, 'a-new-name')
    enter(/^New Password/, 'A-New-Name')
    await save()
    await form.findByText(/The password must not be the username/)

    enter(/^Username/, other.username.toUpperCase())
    enter(/^New Password/, '')
    await save()
    await describedBy(/^Username/, 'This username is already taken')
    expect(form.queryByText('Failed to update host')).toBeNull()
  })

  test('saves the changes, closes, and keeps the password if it was left blank', async () => {
    const { form, enter, save, refuse } = await openEdit()
    enter(/^Storage limit/, '20')
    enter(/^Email/, `new-${host.email}`)
    refuse('PUT', /^\/admin\/hosts\//, { times: 1 })
    await save()
    await form.findByText('Failed to update host')
    await passTime(2_000, async () => {
      await save()
      await form.findByText('Host updated successfully')
    })
    await noDialog()
    expect(await saved()).toMatchObject({ storage_limit_gb: 20, email: `new-${host.email}` })
    const body = { username: host.username, password: PASSWORD }
    expect(await call(server, 'POST', '/auth/host/login', { body })).toMatchObject({ status: 200 })
  })

  test('does not ask to discard what is being saved', async () => {
    const { user, form, enter, save, ...page } = await openEdit()
    enter(/^Storage limit/, '20')
    page.before('PUT', /^\/admin\/hosts\//, async () => {
      await waitFor(() => expect(form.getByRole('button', { name: 'Save changes' })).toHaveProperty('disabled', true))
      await user.keyboard('{Escape}')
    })
    await passTime(2_000, async () => {
      await save()
      await form.findByText('Host updated successfully')
    })
    await noDialog()
    expect(await saved()).toMatchObject({ storage_limit_gb: 20 })
  })

  test('edits the subscription as previewed', async () => {
    const { user, form, enter, save } = await openEdit()
    const choose = (label: string, option: string) => user.selectOptions(form.getByLabelText(label), option)
    const expectDisabled = (duration: boolean, day: boolean) => {
      expect(form.getByLabelText('Duration')).toHaveProperty('disabled', duration)
      expect(form.getByLabelText('End date')).toHaveProperty('disabled', day)
    }
    const expectPreview = (words: string | RegExp) =>
      form.findByText(
        (_, element) =>
          element?.tagName === 'P' &&
          (typeof words === 'string' ? element.textContent === words : words.test(element.textContent ?? '')),
      )
    expectDisabled(true, true)
    await choose('Action', 'cancel')
    await expectPreview(/^After saving: Cancelled since/)
    expectDisabled(true, true)
    await choose('Action', 'reduce')
    expectDisabled(false, true)
    await choose('Duration', '12')
    await expectPreview(/^After saving: Expired since/)
    await choose('Action', 'set_date')
    expectDisabled(true, false)
    expect(form.getByLabelText('End date').getAttribute('min')).toMatch(/^20\d\d-\d\d-\d\d$/)
    enter('End date', '2020-01-01')
    await save()
    await form.findByText('The end date must be today or later')
    enter('End date', '2031-05-09')
    await expectPreview('After saving: Active until 9 May 2031')

    await choose('Action', 'extend')
    await choose('Duration', '6')
    const end = extendDates(datesOf(host), 6, new Date()).subscription_end_date
    const shownEnd = end?.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
    await expectPreview(`After saving: Active until ${shownEnd}`)
    await save()
    await form.findByText('Host updated successfully')
    expect(await saved()).toMatchObject({ subscription_type: 6, subscription_end_date: end?.toISOString() })
    const path = `/admin/hosts/${host.id}/subscription-history`
    const { body } = await call(server, 'GET', path, { as: master })
    expect(body.data.history[0]).toMatchObject({ action: 'extended', months: 6 })
  })

  test('counts the months from the server’s time, however wrong the browser’s clock is', async () => {
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: master })
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => rightNow() + 40 * DAY_MS)
    onTestFinished(() => clock.mockRestore())
    const { user, form, save } = await openEdit()
    await user.selectOptions(form.getByLabelText('Action'), 'extend')
    await save()
    await form.findByText('Host updated successfully')
    const { subscription_end_date: end } = EndDate.parse(await saved())
    expect(Math.abs(Date.parse(end) - addMonths(new Date(rightNow()), 1).getTime())).toBeLessThan(DAY_MS)
    await noDialog()
    within(await screen.findByRole('row', { name: new RegExp(host.username) })).getByText(/^(28|29|30|31) days left$/)
  })

  test('forgets an error of the subscription with the action that it belonged to', async () => {
    const { user, form, enter, save } = await openEdit()
    const wrong = 'The end date must be today or later'
    await user.selectOptions(form.getByLabelText('Action'), 'set_date')
    enter('End date', '2020-01-01')
    await save()
    await form.findByText(wrong)
    enter('End date', '2020-01-02')
    await waitFor(() => expect(form.queryByText(wrong)).toBeNull())
    await save()
    await form.findByText(wrong)
    await user.selectOptions(form.getByLabelText('Action'), 'reduce')
    await waitFor(() => expect(form.queryByText(wrong)).toBeNull())
    expect(form.getByLabelText('End date').getAttribute('aria-invalid')).not.toBe('true')
  })

  test("shows the server's errors of fields that the form does not have", async () => {
    const { form, save, refuse } = await openEdit()
    refuse('PUT', /^\/admin\/hosts\//, {
      status: 422,
      message: 'Please check the fields.',
      errors: [
        { path: 'subscription_end_date', msg: 'This day is over' },
        { path: 'subscription_status', msg: 'Only one change at a time' },
      ],
    })
    await save()
    await form.findByText('This day is over')
    await form.findByText('Only one change at a time')
  })

  test("shows another master's changes instead of overwriting them, and saves at the second attempt", async () => {
    const { form, enter, save } = await openEdit()
    enter('Room name', 'My room')
    const body = { mobile: '+49 30 1', storage_limit_gb: 44 }
    await call(server, 'PUT', `/admin/hosts/${host.id}`, { as: await buildMaster(server), body })

    await save()
    await form.findByText(/Someone else has changed this host in the meantime\. Nothing was saved\./)
    await form.findByText(/It is now: Mobile: \+49 30 1; Storage limit: 44\./)
    expect(form.getByLabelText('Mobile')).toHaveProperty('value', '+49 30 1')
    expect(form.getByLabelText('Room name')).toHaveProperty('value', 'My room')
    expect(await saved()).toMatchObject({ room_name: host.room_name })

    await save()
    await form.findByText('Host updated successfully')
    expect(await saved()).toMatchObject({ ...body, room_name: 'My room' })
  })

  const endNow = async () => EndDate.parse(await saved()).subscription_end_date

  test('extends once if the answer is lost, and reports success at the second attempt', async () => {
    const { user, form, save, loseAnswer } = await openEdit()
    await user.selectOptions(form.getByLabelText('Action'), 'extend')
    loseAnswer('PUT', /^\/admin\/hosts\//)
    await save()
    await form.findByText(
      'Failed to update host. There is no connection to Parley. It may still happen; this page shows it then.',
    )
    const extended = await endNow()
    expect(extended).not.toBe(host.subscription_end_date)
    await save()
    await form.findByText('Host updated successfully')
    expect(await endNow()).toBe(extended)
  })

  test('does not sell the months that another master has just sold, though saved twice', async () => {
    const { user, form, save } = await openEdit()
    await user.selectOptions(form.getByLabelText('Action'), 'extend')
    const path = `/admin/hosts/${host.id}/extend-subscription`
    await call(server, 'POST', path, { as: await buildMaster(server), body: { additional_months: 1 } })
    const sold = await endNow()
    await save()
    await form.findByText(
      /It is now: Subscription: active, end date .+ \(was .+\)\. Your action on the subscription was/,
    )
    await save()
    await form.findByText('Host updated successfully')
    expect(await endNow()).toBe(sold)
  })
})
