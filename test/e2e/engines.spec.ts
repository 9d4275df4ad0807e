import { engineTest, type Role } from './support/engines/engine-window.ts'
import { openFirefox } from './support/engines/firefox.ts'
import { openWebKitGtk } from './support/engines/webkitgtk.ts'
import { BAR_LINES_BY_WIDTH, expectStableBar, fillBar } from './support/online-bar.ts'
import { expect } from './support/test.ts'

const ENGINES = [
  ['Firefox', openFirefox],
  ['WebKitGTK', openWebKitGtk],
] as const

const PUBLIC_PAGES = [
  ['/', 'Your trusted digital companion'],
  ['/documentation', 'Documentation'],
  ['/support', 'Support'],
  ['/terms', 'Terms of Service'],
  ['/policy', 'Privacy Policy'],
] as const

const HOST_PAGES = [
  'Cloud Recordings',
  'Rooms Master',
  'Attendance',
  'App Info.',
  'Host Master',
  'Users Master',
] as const

for (const [engine, open] of ENGINES) {
  const test = engineTest(open)

  test(`the tour, a live room and the phone app in ${engine}, which reports nothing`, async ({
    browserWindow: browser,
    server,
    host,
    room,
  }) => {
    const click = async (role: Role, name: string) => {
      await browser.expectCount(role, name, 1)
      await browser.click(role, name)
    }
    const signIn = async (username: string, password: string) => {
      await browser.expectCount('button', 'Sign in', 1)
      await browser.type('Username', username)
      await browser.type('Password', password)
      await browser.click('button', 'Sign in')
    }

    await browser.resize(1440, 900)
    for (const [path, heading] of PUBLIC_PAGES) {
      await browser.open(server.public_url + path)
      await browser.expectCount('heading', heading, 1)
    }

    const amina = await room.join('Amina Yusuf')
    await room.join('Ben Carter')
    await browser.open(`${server.host_url}/login`)
    await signIn(host.username, host.password)
    await browser.expectCount('heading', 'Dashboard', 1)
    for (const title of HOST_PAGES) {
      await click('link', title)
      await browser.expectCount('heading', title, 1)
    }

    await browser.expectText('Amina Yusuf')
    await click('button', 'Add User')
    await browser.expectCount('dialog', 'Add User', 1)
    await browser.press('Escape')
    await browser.expectCount('dialog', 'Add User', 0)

    await click('link', 'Online')
    await browser.expectText('Up to date')
    await browser.expectText('Ben Carter')
    await fillBar(server, host)
    for (const bar of BAR_LINES_BY_WIDTH) {
      await browser.resize(bar.width, 900)
      await expectStableBar(browser.read, bar)
    }
    await click('button', 'Mute All')
    await browser.expectText('Mute All is on')
    await expect.poll(() => amina.phone.state).toMatchObject({ is_muted: true })

    await browser.resize(390, 844)
    await browser.open(`${server.phone_url}/?host=${host.user_id}`)
    const { username, password } = room.personNamed('Chen Wei')
    await signIn(username, password)
    await browser.expectCount('button', 'Join', 1)
    expect(await browser.reports()).toEqual([])
  })
}
