import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { buildHost, buildRoomUser, call, phoneLogin, type TestHost } from '../../../../test/factories/accounts.ts'
import { expectToast, fill, inDialog, openPage, press, savedCsv } from '../../../../test/pages/page.tsx'
import { setup } from '../../../../test/servers/setup.ts'

const server = await setup()
let host: TestHost
beforeEach(async () => {
  host = await buildHost(server)
})

async function openImport() {
  const page = openPage(server, '/host/users', { ...host, role: 'host' })
  await press(page.user, 'Import')
  const dialog = await inDialog('Import users')
  const check = async (list: string) => {
    fill(dialog.getByLabelText('Users'), list)
    await press(page.user, 'Check the list')
  }
  return { ...page, dialog, check }
}
const row = (username: string) => screen.findByRole('row', { name: new RegExp(`Select ${username} `) })
const done = async (user: Awaited<ReturnType<typeof openImport>>['user']) => {
  await press(user, 'Done')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

describe('Import users', () => {
  test('checks a list before adding anyone, and reports the outcome', async () => {
    await buildRoomUser(server, host, { username: 'amina', user_id: 'U000001' })
    const { user, dialog, check, before } = await openImport()
    await check('username,password\n')
    await dialog.findByText(/This list is empty/)
    const list = 'Name;Reference\nbela;=1+1\nAmina;Row 3\nchika;\n;Nobody\ndora;Row 4\n'
    const input = document.querySelector<HTMLInputElement>('input[type=file]')
    if (input) await user.upload(input, new File([list], 'list.csv', { type: 'text/csv' }))
    await waitFor(() => expect(dialog.getByLabelText('Users')).toHaveProperty('value', list))
    await press(user, 'Check the list')
    const checked = await inDialog('Import users')
    await checked.findByText('2 rows')
    await checked.findByText(/have problems and will be skipped/)
    expect(checked.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Username'),
      '3AminaThis username is already takenU000001–Row 3', // the User ID of the user who has the name
      '5Username is required––Nobody',
      expect.stringMatching(/^2belaWill be addedU000002generated=1\+1/),
      expect.stringMatching(/^4chika/),
      expect.stringMatching(/^6dora/),
    ])

    before('POST', /^\/host\/users\/import$/, () => buildRoomUser(server, host, { username: 'Chika', user_id: 'X-1' }))
    await press(user, 'Add 3 users')
    await screen.findByText('2 users were added.')
    await screen.findByText('Line 4, chika: This username is already in use')
    await done(user)
    for (const name of ['amina', 'bela', 'Chika', 'dora']) await row(name)
    expect(screen.getAllByRole('row')).toHaveLength(5) // including the header
  })

  test('saves the added logins as a file', async () => {
    const { user, check, refuse } = await openImport()
    await check('Name;Reference\nbela;=1+1')
    await press(user, 'Add 1 user')
    const stop = refuse('GET', /^\/host\/profile$/)
    await press(user, 'Download sign-in details')
    await expectToast('The sign-in details could not be downloaded. Please try again.')
    stop()
    await press(user, 'Download sign-in details')
    const { lines } = await savedCsv()
    expect(lines).toEqual(['host_id,username,user_id,password,reference', expect.stringContaining("'=1+1")])
    const [hostId, username = '', userId, password = ''] = lines[1]?.split(',') ?? []
    expect([hostId, username, userId]).toEqual([host.user_id, 'bela', 'U000001'])
    expect(password).toMatch(/^\w{10}$/)
    expect(await phoneLogin(server, host, { username }, 'a-phone', password)).toMatchObject({ status: 200 })
  })

  test('reports people refused twice by the server as not added', async () => {
    const { user, check, refuse, calls } = await openImport()
    const message = 'Too many requests. Please wait a minute.'
    const stop = refuse('POST', /^\/host\/users\/import$/, { status: 429, message })
    await check('emeka')
    await press(user, 'Add 1 user')
    await screen.findByText(`Line 1, emeka: Not added: ${message}`)
    expect(calls.filter((made) => made === 'POST /host/users/import')).toHaveLength(2)
    const { body } = await call(server, 'GET', '/host/users', { as: host })
    expect(body.data.users).toEqual([])
    stop()
    await press(user, 'Try this one again')
    await screen.findByText('1 user was added.')
    await done(user)
    await row('emeka')
  })

  test('repeats a call whose answers were lost, and reports its people as added', async () => {
    const { user, check, refuse, before: atNext, loseAnswer } = await openImport()
    const path = /^\/host\/users\/import$/
    for (let tries = 0; tries < 2; tries++) atNext('POST', path, async () => loseAnswer('POST', path))
    await check(Array.from({ length: 51 }, (_, index) => `listener ${index + 1}`).join('\n'))
    await press(user, 'Add 51 users')
    await screen.findByText(/^50 rows \(lines 1 to 50\) may have been added/)
    await screen.findByText(/^Line 51, listener 51: Not added: the server did not answer/)
    const { body } = await call(server, 'GET', '/host/users', { as: host })
    expect(body.data.users).toHaveLength(50)

    refuse('POST', path, { times: 2, status: 429, message: 'Too many requests' })
    await press(user, 'Try these 51 again')
    await screen.findByText('Line 51, listener 51: Not added: Too many requests')
    await screen.findByText(/^50 rows \(lines 1 to 50\) may have been added/)

    await press(user, 'Try these 51 again')
    await screen.findByText('51 users were added.')
    expect(screen.queryByText(/not added|may have been added/)).toBeNull()
    await press(user, 'Download sign-in details')
    const { lines } = await savedCsv()
    const [, username = '', , password = ''] = lines[1]?.split(',') ?? []
    expect(lines).toHaveLength(52)
    expect(await phoneLogin(server, host, { username }, 'a-phone', password)).toMatchObject({ status: 200 })
  })

  test('keeps the sign-in details of the first part when the rest is tried again', async () => {
    const { user, check, refuse, before: atNext } = await openImport()
    const path = /^\/host\/users\/import$/
    atNext('POST', path, async () => {})
    atNext('POST', path, async () => void refuse('POST', path, { times: 2 }))
    await check(Array.from({ length: 51 }, (_, index) => `listener ${index + 1}`).join('\n'))
    await press(user, 'Add 51 users')
    await screen.findByText('50 users were added.')
    await press(user, 'Try this one again')
    await screen.findByText('51 users were added.')
    await press(user, 'Download sign-in details')
    expect((await savedCsv()).lines).toHaveLength(52)
  })

  test('reports a finished import before the list has come again', async () => {
    await buildRoomUser(server, host, { username: 'amina' })
    const { user, check, before: atNext } = await openImport()
    await check('bela\nchika')
    const list = Promise.withResolvers<void>()
    const holdList = async () => atNext('GET', /^\/host\/users$/, () => list.promise)
    atNext('POST', /^\/host\/users\/import$/, holdList)
    await press(user, 'Add 2 users')
    await screen.findByText('2 users were added.')
    expect(screen.queryByRole('button', { name: 'Add 2 users' })).toBeNull()
    list.resolve()
    await done(user)
    await row('chika')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Import' }))
  })
})
