import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildHost, call, type TestHost } from '../../../test/factories/accounts.ts'
import { expectToast, fill, openPage, press } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'
import { clearSession } from '../../lib/session/session.ts'
import { site } from '../../lib/site.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})
const openAppInfo = () => openPage(server, '/host/app-info', { ...host, role: 'host' })

describe('App Info', () => {
  test('counts characters, shows a preview of a phone, and saves', async () => {
    const { user, refuse } = openAppInfo()
    fill(await screen.findByLabelText('User title'), 'Singer')
    await screen.findByText('The heading of the phone app. Public, with the logo. 6 of 60 characters')
    fill(screen.getByLabelText('Helpline'), '+91 98765 43210')
    fill(screen.getByLabelText('Message'), 'x'.repeat(500))
    await screen.findByText(/500 of 500 characters$/)
    fill(screen.getByLabelText('Message'), 'Rehearsal at six.')
    const phone = within(screen.getByTestId('phone-preview'))
    for (const words of ['Singer', '+91 98765 43210', 'Rehearsal at six.']) await phone.findByText(words)

    fill(screen.getByLabelText('Logo address'), 'javascript:alert(1)')
    await press(user, 'Save changes')
    await screen.findByText('The logo must be at a public https address or one of this site')
    fill(screen.getByLabelText('Logo address'), '')
    refuse('PUT', /^\/host\/app-info$/, { times: 1, message: 'The disk is full' })
    await press(user, 'Save changes')
    await expectToast('Failed to update app information: The disk is full')
    await press(user, 'Save changes')
    await expectToast('App information updated successfully')
    const { body } = await call(server, 'GET', '/host/app-info', { as: host })
    expect(body.appInfo).toMatchObject({
      user_title: 'Singer',
      helpline: '+91 98765 43210',
      message: 'Rehearsal at six.',
      logo_url: null,
    })
  })

  test('leaves for another page once it is saved, without a question', async () => {
    const { user, holdAnswer } = openAppInfo()
    fill(await screen.findByLabelText('User title'), 'Singer')
    const release = holdAnswer('PUT', /^\/host\/app-info$/)
    await press(user, 'Save changes')
    await user.click(screen.getByRole('link', { name: 'Attendance' }))
    release()
    await screen.findByRole('heading', { name: 'Attendance' })
    expect(screen.queryByRole('dialog')).toBeNull()
    await expectToast('App information updated successfully')
  })

  test('asks before it leaves for another page if it could not be saved', async () => {
    const { user, refuse } = openAppInfo()
    fill(await screen.findByLabelText('User title'), 'Readers')
    refuse('PUT', /^\/host\/app-info$/, { times: 1, message: 'The disk is full' })
    await press(user, 'Save changes')
    await expectToast('Failed to update app information: The disk is full')
    await user.click(screen.getByRole('link', { name: 'Attendance' }))
    await screen.findByRole('dialog', { name: 'Discard your changes?' })
  })

  test('has what was typed before the session ended elsewhere, but no password, and shows what has changed since', async () => {
    openAppInfo()
    fill(await screen.findByLabelText('User title'), 'Singers')
    fill(screen.getByLabelText(/^Password/), 'a long password')
    act(() => clearSession({ reason: 'expired' }))
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('a long password')
    cleanup()
    await call(server, 'PUT', '/host/app-info', { as: host, body: { helpline: '+1 555 0100' } })

    openAppInfo()
    const notice = await screen.findByText(/^What you typed before you were signed out is back/)
    expect(screen.getByLabelText('User title')).toHaveProperty('value', 'Singers')
    expect(screen.getByLabelText('Helpline')).toHaveProperty('value', '+1 555 0100')
    expect(screen.getByLabelText(/^Password/)).toHaveProperty('value', '')
    screen.getByRole('status', { name: 'Changed by another console in the meantime' })
    fireEvent.submit(notice.closest('form') ?? notice)
    await expectToast('App information updated successfully')
    expect(screen.queryByText(/^What you typed before/)).toBeNull()
    expect((await call(server, 'GET', '/host/app-info', { as: host })).body.appInfo).toMatchObject({
      user_title: 'Singers',
      helpline: '+1 555 0100',
      has_password: false,
    })
  })

  test('says what could not be loaded, and loads it again', async () => {
    const { user, refuse } = openAppInfo()
    const stop = refuse('GET', /^\/host\/app-info$/, { message: 'The disk is full' })
    await screen.findByRole('heading', { name: 'Failed to load app information' })
    screen.getByText('The disk is full')
    stop()
    await press(user, 'Try again')
    await screen.findByLabelText('User title')
  })

  test('overwrites nothing that another console has saved before that is shown, and keeps what was typed', async () => {
    const { user, refuse, calls } = openAppInfo()
    const notice = () => screen.queryByText('Changed by another console in the meantime')
    fill(await screen.findByLabelText('User title'), 'Singers')
    await call(server, 'PUT', '/host/app-info', {
      as: host,
      body: { user_title: 'Choir', helpline: '+1 555 0100', allow_recording: false },
    })
    const saved = async () => (await call(server, 'GET', '/host/app-info', { as: host })).body.appInfo
    const refused =
      'Failed to update app information: Someone else has changed this in the meantime. Nothing was saved.'
    refuse('GET', /^\/host\/app-info$/, { times: 2 })
    await press(user, 'Save changes')
    await expectToast(refused)
    await waitFor(() => expect(calls.filter((made) => made === 'GET /host/app-info')).toHaveLength(3))
    expect(notice()).toBeNull()

    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    await press(user, 'Save changes')
    await expectToast(refused)
    const news = within(await screen.findByRole('status', { name: 'Changed by another console in the meantime' }))
    for (const words of ['User title is now: Choir', 'Helpline is now: +1 555 0100', 'Allow recording is now: off'])
      news.getByText((_text, element) => element?.textContent === words)
    expect(screen.getByLabelText('Helpline')).toHaveProperty('value', '+1 555 0100')
    expect(screen.getByLabelText('User title')).toHaveProperty('value', 'Singers')
    expect(screen.getByLabelText(/^Allow recording/)).toHaveProperty('checked', false)
    await press(user, 'Save changes') // the second click of a double click
    expect(calls.filter((made) => made === 'PUT /host/app-info')).toHaveLength(2)
    clock.mockRestore()
    screen.getByRole('button', { name: 'Save changes' }).focus()
    await user.keyboard('{Enter}')
    await expectToast('App information updated successfully')
    expect(notice()).toBeNull()
    expect(await saved()).toMatchObject({ user_title: 'Singers', helpline: '+1 555 0100', allow_recording: false })
  })

  test('saves again after a save without a conflict with itself', async () => {
    const { user } = openAppInfo()
    for (const title of [' Choir ', 'Singers']) {
      fill(await screen.findByLabelText('User title'), title)
      await press(user, 'Save changes')
      await expectToast('App information updated successfully')
      await waitFor(() => expect(screen.getByLabelText('User title')).toHaveProperty('value', title.trim()))
    }
  })

  test('saves beside a message from before the rules for texts, unless it is changed', async () => {
    const message = 'Rehearsal\u200e at six.'
    await server.deps.db.updateTable('app_info').set({ message }).where('host_id', '=', host.id).execute()
    const { user } = openAppInfo()
    fill(await screen.findByLabelText('User title'), 'Choir')
    fill(screen.getByLabelText('Message'), `${message}!`)
    await press(user, 'Save changes')
    await screen.findByText(/cannot be seen \(left-to-right mark, U\+200E\)/)
    fill(screen.getByLabelText('Message'), message)
    await press(user, 'Save changes')
    await expectToast('App information updated successfully')
    const { body } = await call(server, 'GET', '/host/app-info', { as: host })
    expect(body.appInfo).toMatchObject({ user_title: 'Choir', message })
  })

  test('hides the room from strangers', async () => {
    const { user } = openAppInfo()
    const seen = async () => (await call(server, 'GET', `/mobile/rooms/${host.user_id}`)).status
    await user.click(await screen.findByLabelText(/^Show the room before sign-in/))
    await press(user, 'Save changes')
    await expectToast('App information updated successfully')
    expect(await seen()).toBe(404)
    await user.click(screen.getByLabelText(/^Show the room before sign-in/))
    await press(user, 'Save changes')
    await waitFor(async () => expect(await seen()).toBe(200))
  })

  test('refuses a weak password of the host’s own phone', async () => {
    const { user } = openAppInfo()
    const save = async (password: string) => {
      fill(await screen.findByLabelText(/^Password/), password)
      await press(user, 'Save changes')
    }
    await save('short')
    await screen.findByText(/Password must be at least 6 characters/)
    await save(host.user_id.toLowerCase())
    await screen.findAllByText(/The password must not be the username/) // under the field, and in a toast
    await save('Password1')
    await screen.findAllByText(/This password is too common. Choose another/)
    await save('long enough')
    await expectToast('App information updated successfully')
  })

  describe('the upload of a logo', () => {
    async function beginUpload(answer: Promise<Response>) {
      Object.assign(site, { features: ['logo-upload'] })
      const { user } = openAppInfo()
      const others = fetch
      vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
        path === '/api/host/upload-logo' ? answer : others(path, init),
      )
      const input = await waitFor(() => {
        const found = document.querySelector<HTMLInputElement>('input[type=file]')
        if (!found) throw new Error('No input for a file yet')
        return found
      })
      await user.upload(input, new File(['a logo'], 'logo.png', { type: 'image/png' }))
      await press(user, 'Upload')
      return screen.getByLabelText(/^Logo address/)
    }
    const uploaded = async () => {
      const { body } = await call(server, 'GET', '/host/app-info', { as: host })
      return Response.json({ ...body, message: 'Logo uploaded', appInfo: { ...body.appInfo, logo_url: '/logos/new' } })
    }

    test.each([
      ['fills in its address', '', '/logos/new'],
      ['keeps an address that was typed meanwhile', 'https://example.org/mine.png', 'https://example.org/mine.png'],
    ])('%s', async (_what, typed, shown) => {
      const { promise, resolve } = Promise.withResolvers<Response>()
      const address = await beginUpload(promise)
      if (typed) fill(address, typed)
      resolve(await uploaded())
      await expectToast('Logo uploaded')
      expect(address).toHaveProperty('value', shown)
    })

    test('is not called failed where its answer was lost', async () => {
      const { promise, reject } = Promise.withResolvers<Response>()
      await beginUpload(promise)
      reject(new TypeError('Failed to fetch'))
      await screen.findByText(/^It is not known whether the logo was uploaded\. Please try again\./)
    })
  })

  test('shows no logo upload where it is turned off', async () => {
    openAppInfo()
    await screen.findByText('Coming Soon')
    expect(screen.getByRole('button', { name: 'Upload' })).toHaveProperty('disabled', true)
  })
})
