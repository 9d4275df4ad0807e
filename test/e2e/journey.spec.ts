import { HostLoginAnswer } from '../../shared/auth.ts'
import { signInPhone } from '../../simulator/sign-in.ts'
import { http } from '../servers/server-process.ts'
import { logInHost, logInMaster } from './support/hosts.ts'
import { expect, test } from './support/test.ts'
import { control } from './support/zoom.ts'

const HOST = { email: 'ana@studycircle.example', username: 'ana', password: 'evening-circle-7' }
const PEOPLE = [
  { username: 'amina', password: 'amina-password' },
  { username: 'bola', password: 'bola-password' },
] as const
const LONG_WAIT = { timeoutMs: 60_000 }

test('from an empty installation to a recording that plays', async ({ page, emptyServer: server }) => {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const open = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  const { step } = test

  await step('a master connects a Zoom account and makes a host of it', async () => {
    await page.goto(server.master_url)
    await logInMaster(page)
    await button('Add New Host').click()
    const dialog = page.getByRole('dialog', { name: 'Add New Host Account' })
    await dialog.getByLabel('Email').fill(HOST.email)
    await dialog.getByLabel('Username').fill(HOST.username)
    await dialog.getByLabel(/^Password/).fill(HOST.password)
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('button', { name: 'Connect Zoom' }).click()
    const popup = await opened
    await popup.getByRole('radio', { name: /Ana Lima/ }).check()
    const closed = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Allow' }).click()
    await closed
    await expect(dialog.getByText(/Zoom connected!/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Add Host' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('row', { name: HOST.email }).getByText('Connected', { exact: true })).toBeVisible()
    await button('Log out').click()
    await expect(page).toHaveURL(`${server.master_url}/master-login`)
  })

  const token = await step('the host logs in', async () => {
    await page.goto(server.host_url)
    const answered = page.waitForResponse('**/api/auth/host/login')
    await logInHost(page, HOST)
    await expect(page).toHaveURL(`${server.host_url}/host/dashboard`)
    return HostLoginAnswer.parse(await (await answered).json()).data.token
  })

  await step('the host adds two people', async () => {
    await open('Users Master')
    for (const { username, password } of PEOPLE) {
      await button('Add User').first().click()
      const form = page.getByRole('dialog', { name: 'Add User' })
      await form.getByLabel('Username').fill(username)
      await form.getByLabel(/^Password/).fill(password)
      await form.getByRole('button', { name: 'Add User' }).click()
      await expect(form).toHaveCount(0)
      await expect(page.getByRole('row', { name: username })).toBeVisible()
    }
  })

  const [amina, bola] = await step('their phones come online', async () => {
    await open('Online')
    await expect(page.getByText('No users are currently online')).toBeVisible()
    const hostId = (await http(server, 'GET', '/host/profile', { token })).body.data.user_id
    const bringOnline = async (person: (typeof PEOPLE)[number]) => {
      const phone = await signInPhone({ baseUrl: `http://127.0.0.1:${server.port}`, hostId, ...person })
      await phone.openStream()
      await expect(page.locator('[data-user-id]').filter({ hasText: person.username })).toBeVisible()
      return phone
    }
    return [await bringOnline(PEOPLE[0]), await bringOnline(PEOPLE[1])]
  })

  await step('one speaks, and its tile is red', async () => {
    expect(await amina.speak()).toBe(true)
    const tile = page.locator('[data-user-id][data-colour=red]').filter({ hasText: 'amina' })
    await expect(tile).toContainText('Speaking')
  })

  await step('Mute All reaches both phones, which acknowledge it', async () => {
    const commands = [amina, bola].map(async (phone) => {
      const { id } = await phone.waitForEvent((event) => event.name === 'host-mute-all' && event.data.active, LONG_WAIT)
      await phone.waitForAcknowledgement(id, LONG_WAIT)
    })
    await button('Mute All').click()
    await Promise.all(commands)
    await expect(page.getByText('All 2 phones acknowledged')).toBeVisible()
    for (const phone of [amina, bola]) {
      await expect.poll(() => phone.state).toMatchObject({ is_muted: true, is_speaking: false })
    }
  })

  await step('pressing one tile lets that person speak, and no other', async () => {
    await button('Unmute bola').press('Enter')
    await expect.poll(() => bola.state.is_muted).toBe(false)
    await expect(button('Unmute bola')).toHaveCount(0)
    expect(amina.state.is_muted).toBe(true)
    await expect(button('Unmute amina')).toBeVisible()
  })

  await step('a recording appears at Zoom, plays, also from a later position', async () => {
    const { room } = (await http(server, 'GET', '/host/room', { token })).body.data
    const start_time = new Date(Date.now() - 3_600_000).toISOString()
    await control(server, '/recordings', { meeting_id: room.zoom_meeting_id, start_time, duration_minutes: 30 })
    await open('Cloud Recordings')
    await page.getByRole('button', { name: /^Play / }).click()
    const audio = page.locator('audio')
    const currentTime = () => audio.evaluate((element: HTMLAudioElement) => element.currentTime)
    await expect.poll(currentTime).toBeGreaterThan(0.5)
    const from = await audio.evaluate((element: HTMLAudioElement) => {
      element.currentTime = element.duration - 4
      return element.currentTime
    })
    expect(from).toBeGreaterThan(1)
    await expect.poll(currentTime).toBeGreaterThan(from + 0.3)
  })

  await step('after logging out the old token is of no use', async () => {
    const answered = page.waitForResponse('**/logout')
    await button('Log out').click()
    expect((await answered).status()).toBe(200)
    await expect(page).toHaveURL(`${server.host_url}/login`)
    expect(await http(server, 'GET', '/host/users', { token })).toMatchObject({ status: 401 })
  })

  for (const phone of [amina, bola]) phone.close()
})
