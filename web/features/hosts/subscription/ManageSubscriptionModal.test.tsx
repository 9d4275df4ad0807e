import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { buildHost, buildMaster, call, PASSWORD, type TestHost } from '../../../../test/factories/accounts.ts'
import { inDialog, openPage, passTime, press } from '../../../../test/pages/page.tsx'
import { setup } from '../../../../test/servers/setup.ts'

const server = await setup()

const openHosts = async () => openPage(server, '/master/hosts', { ...(await buildMaster(server)), role: 'master' })
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const logIn = ({ username }: TestHost) =>
  call(server, 'POST', '/auth/host/login', { body: { username, password: PASSWORD } })

describe('Manage Subscription', () => {
  test('cancels a subscription at once, after a confirmation', async () => {
    const host = await buildHost(server)
    const { user, refuse } = await openHosts()
    await press(user, `Manage subscription of ${host.username}`)
    const dialog = await inDialog('Manage Subscription')
    const cancel = async () => {
      await press(user, 'Cancel subscription', dialog)
      await press(user, 'Cancel subscription', await inDialog(`Cancel the subscription of ${host.username}?`))
    }
    refuse('POST', /\/cancel-subscription$/, { times: 1 })
    await cancel()
    await dialog.findByText('Failed to cancel subscription')
    await passTime(2_000, async () => {
      await cancel()
      await dialog.findByText('Subscription cancelled')
    })
    await noDialog()
    within(await screen.findByRole('row', { name: new RegExp(host.username) })).getByText('Cancelled')
    expect(await logIn(host)).toMatchObject({ status: 403, body: { code: 'subscription_cancelled' } })
  })

  test('stays open until an action is answered, however early it is closed', async () => {
    const host = await buildHost(server)
    const page = await openHosts()
    const { user } = page
    await press(user, `Manage subscription of ${host.username}`)
    const dialog = await inDialog('Manage Subscription')
    const closeDuring = (path: RegExp) => {
      page.before('POST', path, async () => {
        await waitFor(() => expect(dialog.getByRole('button', { name: 'Extend' })).toHaveProperty('disabled', true))
        await user.keyboard('{Escape}')
      })
      page.refuse('POST', path, { times: 1 })
    }
    closeDuring(/\/extend-subscription$/)
    await press(user, 'Extend', dialog)
    await dialog.findByText('Failed to extend subscription')
    closeDuring(/\/cancel-subscription$/)
    await press(user, 'Cancel subscription', dialog)
    await press(user, 'Cancel subscription', await inDialog(`Cancel the subscription of ${host.username}?`))
    await dialog.findByText('Failed to cancel subscription')
    await user.keyboard('{Escape}')
    await noDialog()
  })

  test('cancels nothing that another master has just extended', async () => {
    const host = await buildHost(server)
    const { user, before } = await openHosts()
    await press(user, `Manage subscription of ${host.username}`)
    const dialog = await inDialog('Manage Subscription')
    const as = await buildMaster(server)
    before('POST', /\/cancel-subscription$/, () =>
      call(server, 'POST', `/admin/hosts/${host.id}/extend-subscription`, { as, body: { additional_months: 1 } }),
    )
    await press(user, 'Cancel subscription', dialog)
    await press(user, 'Cancel subscription', await inDialog(`Cancel the subscription of ${host.username}?`))
    await dialog.findByText('This subscription was just changed. Check the new end date before cancelling it.')
    expect(await logIn(host)).toMatchObject({ status: 200 })
  })

  test('extends a subscription, including a cancelled one', async () => {
    const host = await buildHost(server)
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: await buildMaster(server) })
    const { user, refuse } = await openHosts()
    await press(user, `Manage subscription of ${host.username}`)
    const dialog = await inDialog('Manage Subscription')
    dialog.getByText('The months start today, and the host can sign in again.')
    expect(dialog.queryByRole('button', { name: 'Cancel subscription' })).toBeNull()
    const preview = () => dialog.getByText(/^After extending/).textContent
    const oneMonth = preview()
    await user.click(dialog.getByRole('radio', { name: '3 months' }))
    expect(preview()).toMatch(/^After extending: Active until \d+ \w+ \d{4} \(UTC\)$/)
    expect(preview()).not.toBe(oneMonth)
    refuse('POST', /\/extend-subscription$/, { times: 1 })
    await press(user, 'Extend', dialog)
    await dialog.findByText('Failed to extend subscription')
    await passTime(2_000, async () => {
      await press(user, 'Extend', dialog)
      await dialog.findByText('Subscription extended by 3 months')
    })
    await noDialog()
    expect(await logIn(host)).toMatchObject({ status: 200 })
  })

  test('counts an extension as done once the list shows it, though its answer was lost', async () => {
    const host = await buildHost(server)
    const { user, loseAnswer } = await openHosts()
    await press(user, `Manage subscription of ${host.username}`)
    const dialog = await inDialog('Manage Subscription')
    loseAnswer('POST', /\/extend-subscription$/)
    await passTime(2_000, async () => {
      await press(user, 'Extend', dialog)
      await dialog.findByText('Subscription extended by 1 month')
      expect(dialog.queryByText(/^Failed/)).toBeNull()
    })
    await noDialog()
  })

  test('counts the extension of a cancelled subscription as done too, though its answer was lost', async () => {
    const host = await buildHost(server)
    await call(server, 'POST', `/admin/hosts/${host.id}/cancel-subscription`, { as: await buildMaster(server) })
    const { user, loseAnswer } = await openHosts()
    await press(user, `Manage subscription of ${host.username}`)
    const dialog = await inDialog('Manage Subscription')
    loseAnswer('POST', /\/extend-subscription$/, 502)
    await passTime(2_000, async () => {
      await press(user, 'Extend', dialog)
      await dialog.findByText('Subscription extended by 1 month')
      expect(dialog.queryByText(/^Failed/)).toBeNull()
    })
    await noDialog()
  })

  test('counts a cancellation as done once the list shows it, though its answer was lost', async () => {
    const host = await buildHost(server)
    const { user, loseAnswer } = await openHosts()
    await press(user, `Manage subscription of ${host.username}`)
    const dialog = await inDialog('Manage Subscription')
    loseAnswer('POST', /\/cancel-subscription$/)
    await press(user, 'Cancel subscription', dialog)
    await passTime(2_000, async () => {
      await press(user, 'Cancel subscription', await inDialog(`Cancel the subscription of ${host.username}?`))
      await dialog.findByText('Subscription cancelled')
      expect(dialog.queryByText(/^Failed/)).toBeNull()
    })
    await noDialog()
  })
})

describe('Extend subscriptions', () => {
  async function openExtendOf(host: TestHost) {
    const page = await openHosts()
    const [box] = await screen.findAllByRole('checkbox', { name: `Select ${host.username}` })
    await page.user.click(box ?? document.body)
    await press(page.user, 'Extend subscriptions')
    return { page, dialog: await inDialog('Extend 1 subscription') }
  }

  test('stays open until all are answered, however early it is closed', async () => {
    const { page, dialog } = await openExtendOf(await buildHost(server))
    page.before('POST', /\/extend-subscription$/, async () => {
      await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' }).ariaDisabled).toBe('true'))
      await page.user.keyboard('{Escape}')
    })
    page.refuse('POST', /\/extend-subscription$/, { times: 1, status: 409 })
    await press(page.user, 'Extend 1', dialog)
    await dialog.findByText('Failed to extend subscription')
    await page.user.click(dialog.getByText('Close'))
    await noDialog()
  })

  test('counts one as extended once the list shows it, though its answer was lost', async () => {
    const { page, dialog } = await openExtendOf(await buildHost(server))
    page.loseAnswer('POST', /\/extend-subscription$/)
    await press(page.user, 'Extend 1', dialog)
    await dialog.findByText('1 of 1 extended by 1 month')
    expect(dialog.queryByText(/Failed/)).toBeNull()
    await page.user.click(dialog.getByText('Close'))
    await noDialog()
  })

  test('extends an unanswered one only once, though it is tried again', async () => {
    const host = await buildHost(server)
    const { page, dialog } = await openExtendOf(host)
    page.loseAnswer('POST', /\/extend-subscription$/)
    const reconnect = page.refuse('GET', /^\/admin\/hosts$/, { status: 0 })
    await press(page.user, 'Extend 1', dialog)
    await dialog.findByText(/Trying again extends no subscription twice/)
    await press(page.user, 'Try again', dialog)
    await dialog.findByText('1 of 1 extended by 1 month')
    expect(dialog.queryByText(/Failed/)).toBeNull()
    reconnect()
    const as = await buildMaster(server)
    const { body } = await call(server, 'GET', `/admin/hosts/${host.id}/subscription-history`, { as })
    expect(body.data.history).toHaveLength(2) // its creation, and one extension
  })

  test('extends several after a preview, and names one that was changed since', async () => {
    const [first, second] = [await buildHost(server), await buildHost(server)]
    const year = Number(first.subscription_end_date?.slice(0, 4))
    const { user, before } = await openHosts()
    await user.click((await screen.findAllByRole('checkbox', { name: `Select ${first.username}` }))[0] ?? document.body)
    await user.click(screen.getAllByRole('checkbox', { name: `Select ${second.username}` })[0] ?? document.body)
    await screen.findByText('2 selected')
    await press(user, 'Extend subscriptions')
    const dialog = await inDialog('Extend 2 subscriptions')
    await user.click(dialog.getByRole('radio', { name: '12 months' }))
    within(dialog.getByRole('row', { name: new RegExp(first.username) })).getByText(new RegExp(`${year + 1}`))

    const path = `/admin/hosts/${second.id}/extend-subscription`
    const master = await buildMaster(server)
    before('POST', new RegExp(`^${path}$`), () =>
      call(server, 'POST', path, { as: master, body: { additional_months: 1 } }),
    )
    await press(user, 'Extend 2', dialog)
    await dialog.findByText('1 of 2 extended by 12 months')
    const failed = await dialog.findByText(/This subscription was just changed/)
    expect(failed.textContent).toMatch(second.username)
    await user.click(dialog.getByText('Close'))
    await noDialog()
    const { body } = await call(server, 'GET', `/admin/hosts/${first.id}`, { as: master })
    expect(body.data.subscription_end_date).toMatch(`${year + 1}-`)
  })
})
