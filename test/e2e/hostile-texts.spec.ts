import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../simulator/sign-in.ts'
import { http } from '../server-process.ts'
import { watchedPage } from './browser.ts'
import { HOST, type Sites, signInAsHost, signInAsMaster, startSites } from './sites.ts'

const ATTACK = '"><img src=x onerror=alert(1)>'
const PASSWORD = 'a password of theirs'
let sites: Sites

beforeAll(async () => {
  sites = await startSites()
  const { server } = sites
  const [token, master] = await Promise.all([sites.tokenOf('host'), sites.tokenOf('master')])
  const username = `${ATTACK}!`
  const user = { username, user_id: `U1${ATTACK}`.slice(0, 32), reference: ATTACK, password: PASSWORD }
  expect((await http(server, 'POST', '/host/users', { token, body: user })).status).toBe(200)
  const texts = { user_title: ATTACK, helpline: ATTACK, message: ATTACK }
  expect((await http(server, 'PUT', '/host/app-info', { token, body: texts })).status).toBe(200)
  const { body } = await http(server, 'GET', '/admin/hosts', { token: master })
  const [{ id, user_id }] = body.data.hosts
  const edit = { room_name: ATTACK, mobile: ATTACK.slice(0, 20) }
  expect((await http(server, 'PUT', `/admin/hosts/${id}`, { token: master, body: edit })).status).toBe(200)
  const phone = await signIn({
    baseUrl: `http://127.0.0.1:${server.port}`,
    hostId: user_id,
    username,
    password: PASSWORD,
  })
  await phone.speak()
  await phone.close()
}, 60_000)
afterAll(() => sites.close())

test('SEC-39 what people and phones send is shown as the text that it is, on every screen', {
  timeout: 90_000,
}, async () => {
  const { server, browser } = sites
  const context = await browser.newContext()
  const { page, complaints } = await watchedPage(context)
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const isWhole = async (path: string) => {
    expect(await page.locator('img[src="x"]').count(), path).toBe(0)
  }

  for (const path of [
    `/oauth-error?error=x&error_description=${encodeURIComponent(ATTACK)}`,
    `/oauth-success?oauth_result=x&user_email=${encodeURIComponent(ATTACK)}`,
  ]) {
    await page.goto(server.public_url + path)
    await page.locator('h1').waitFor()
    await isWhole(path)
  }
  await page.goto(`${server.host_url}/login`)
  await signInAsHost(page, HOST.password)
  await page.waitForURL('**/host/dashboard')
  for (const [path, text] of Object.entries({
    '/host/dashboard': ATTACK,
    '/host/users': `${ATTACK}!`,
    '/host/online': ATTACK,
    '/host/rooms': ATTACK,
    '/host/recordings': 'Cloud Recordings',
    '/host/host-master': 'Host Master',
  })) {
    await page.goto(server.host_url + path)
    await page.getByText(text).first().waitFor()
    await isWhole(path)
  }
  await page.goto(`${server.host_url}/host/app-info`)
  await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe(ATTACK)
  await isWhole('/host/app-info')

  await page.goto(`${server.master_url}/master-login`)
  await signInAsMaster(page)
  await page.getByText(HOST.username).first().waitFor()
  await isWhole('/master/hosts')
  expect(complaints).toEqual([])
  await context.close()
})
