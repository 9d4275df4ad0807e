import type { Page } from '@playwright/test'
import { http } from '../servers/server-process.ts'
import { addHost, type TestHost, uniqueName } from './support/hosts.ts'
import { test as base, expect } from './support/test.ts'

/** Names of 60 letters where the script permits. */
const NAMES = [
  'محمد عبد الرحمن الخطيب بن سليمان القرشي الهاشمي التميمي',
  'אברהם בן־דוד מזרחי הכהן מירושלים עיר הקודש ותושביה הוותיקים',
  '欧阳文静与她的家人以及所有来自远方的朋友们一起参加今晚的学习小组直到深夜都没有离开过这个房间半步',
  'श्रीमती लक्ष्मीबाई नारायण विश्वनाथन कृष्णमूर्ति वेंकटरमन',
  '👩‍👩‍👧‍👦🌙✨🙏🏽 Ángeles 🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉',
  'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis',
]
const [ARABIC = '', HEBREW = ''] = NAMES
const WIDTHS = [360, 1440]

/** A host with multi-script names in every field: the first user speaks, the second raised a hand. */
const test = base.extend({
  host: async ({ server }, use) => {
    const username = `${ARABIC.slice(0, 30)} ${uniqueName('n')}`
    await use(await addHost(server, { username, email: `${uniqueName('n')}@example.com`, room_name: HEBREW }))
  },
})

test('names of all scripts are shown and cut in their own direction on the pages of a host', async ({
  hostPage: page,
  server,
  host,
  addPeople,
  openPhone,
}) => {
  const people = await addPeople(NAMES, (_, index) => ({
    password: 'evening-circle-7',
    reference: NAMES[(index + 1) % NAMES.length],
  }))
  const phones = []
  for (const person of people) phones.push(await openPhone({ ...person, password: 'evening-circle-7' }))
  await phones[0]?.speak()
  await phones[1]?.raiseHand()
  const appInfo = { user_title: HEBREW, helpline: '+972 2 555 0142', message: ARABIC }
  expect((await http(server, 'PUT', '/host/app-info', { token: host.token, body: appInfo })).status).toBe(200)

  for (const [path, shown] of [
    ['/host/dashboard', host.username],
    ['/host/users', ARABIC],
    [`/host/users?user=${people[1]?.id}`, HEBREW],
    ['/host/online', ARABIC],
    ['/host/host-master', HEBREW],
    ['/host/rooms', HEBREW],
    ['/host/attendance', ARABIC],
    ['/host/log', ARABIC],
    ['/host/app-info', HEBREW],
  ] as const) {
    await page.goto(server.host_url + path)
    if (path === '/host/online') await page.getByRole('searchbox', { name: 'Filter users' }).fill(ARABIC)
    await expectOwnDirection(page, path, shown, host)
  }
})

test('names of all scripts are shown and cut in their own direction on the pages of a master', async ({
  masterPage: page,
  server,
  host,
}) => {
  const query = encodeURIComponent(host.email)
  for (const path of [`/master/hosts?q=${query}`, '/host/host-master']) {
    await page.goto(server.master_url + path)
    await expectOwnDirection(page, path, host.username, host)
  }
})

/** Each known text and the element that clips it have the direction of its first letter. No page scrolls sideways. */
async function expectOwnDirection(page: Page, path: string, shown: string, { username }: TestHost): Promise<void> {
  const known = [...NAMES, username]
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await expect(
      page
        .getByText(shown)
        .or(page.locator(`input[value="${shown}"]`))
        .filter({ visible: true })
        .first(),
    ).toBeVisible()
    const where = `${path} at ${width} px`
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), where).toBe(width)
    await expect.poll(() => page.evaluate(faultsOfDirection, known), where).toEqual([])
  }
}

/** Runs in the page, so it cannot use anything from outside. */
function faultsOfDirection(known: string[]): string[] {
  const directionOf = (text: string) => (/^[^\p{L}]*[\p{sc=Arab}\p{sc=Hebr}]/u.test(text) ? 'rtl' : 'ltr')
  const faults = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent?.trim() ?? ''
    const element = node.parentElement
    if (!element?.checkVisibility() || !known.some((name) => text.includes(name))) continue
    const expected = directionOf(text)
    const place = `${element.outerHTML.slice(0, 100)} in ${element.closest('section, nav, header, table, main')?.tagName}`
    if (known.includes(text) && getComputedStyle(element).direction !== expected) faults.push(`direction: ${place}`)
    for (let box: Element | null = element; box; box = box.parentElement) {
      const { overflowX, direction } = getComputedStyle(box)
      if (overflowX !== 'hidden' || box.scrollWidth <= box.clientWidth) continue
      if (direction !== expected) faults.push(`cut at the wrong end: ${place}`)
      break
    }
  }
  for (const field of document.querySelectorAll('input, textarea')) {
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
    if (!isField || !known.includes(field.value)) continue
    if (getComputedStyle(field).direction !== directionOf(field.value))
      faults.push(`field: ${field.outerHTML.slice(0, 120)}`)
  }
  return faults
}
