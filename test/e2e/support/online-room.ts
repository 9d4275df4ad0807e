import type { Locator, Page } from '@playwright/test'
import type { PhoneState } from '../../../shared/phone/obey.ts'
import { HEARTBEAT_MS } from '../../../shared/room-events.ts'
import type { UserAction } from '../../../shared/room-users.ts'
import type { SimulatedPhone } from '../../../simulator/phone.ts'
import { http } from '../../servers/server-process.ts'
import { type ConsoleSession, storeSession } from './hosts.ts'
import { pressEnter } from './keys.ts'
import type { Person } from './people.ts'
import { test as base, expect } from './test.ts'

/** A room of more than ten, in which some actions need a confirmation. */
export const NAMES = [
  'Amina Yusuf',
  'Ben Carter',
  'Chen Wei',
  'Dina Popescu',
  'Emil Novak',
  'Fatou Diop',
  'Goran Ilic',
  'Hannah Weiss',
  'Ines Duarte',
  'Jonas Berg',
  'Kwame Mensah',
  'Zoë Lindqvist',
] as const

type Name = (typeof NAMES)[number]

/** A person whose phone is in the room. */
export interface Participant extends Person {
  phone: SimulatedPhone
}

interface OnlineRoom {
  personNamed(name: Name): Person
  join(name: Name): Promise<Participant>
  joinAll(names?: readonly Name[]): Promise<Participant[]>
  /** Acts like another console of the host. */
  act(person: Person, action: UserAction): Promise<void>
  muteAll(): Promise<void>
  /** Sends the phone to the background: it reports this and then nothing until it returns. */
  sleep(participant: Participant): Promise<void>
}

interface OnlineFixtures {
  /** `host`'s room and its twelve users, all offline. */
  room: OnlineRoom
  /** Opens the Online page with live data, in `page` or another one, as the host or an assistant, without logging in. */
  openOnline: (page?: Page, who?: ConsoleSession) => Promise<Page>
}

export const test = base.extend<OnlineFixtures>({
  room: async ({ server, host, addPeople, openPhone }, use) => {
    const people = await addPeople(NAMES)
    const sleeping: NodeJS.Timeout[] = []
    const post = async (path: string, token = host.token, body: unknown = {}) => {
      const answer = await http(server, 'POST', path, { token, body })
      if (answer.status !== 200) throw new Error(`${path} was refused: ${JSON.stringify(answer.body)}`)
    }
    const personNamed = (name: Name) => {
      const person = people.find(({ username }) => username === name)
      if (!person) throw new Error(`${name} is not of this room`)
      return person
    }
    const join = async (name: Name) => {
      const person = personNamed(name)
      return { ...person, phone: await openPhone(person) }
    }
    await use({
      personNamed,
      join,
      joinAll: (names = NAMES) => Promise.all(names.map(join)),
      act: ({ id }, action) => post(`/host/users/${id}/${action}`),
      muteAll: () => post('/host/trigger-bulk-mute/mute'),
      sleep: async ({ phone }) => {
        phone.drop()
        const say = () => post('/mobile/status', phone.token, { awake: false })
        await say()
        const timer = setInterval(() => void say().catch(() => {}), HEARTBEAT_MS)
        sleeping.push(timer)
        phone.on('stream', (state) => state === 'open' && clearInterval(timer))
      },
    })
    for (const timer of sleeping) clearInterval(timer)
  },
  openOnline: async ({ server, host, page }, use) =>
    use(async (tab = page, who = host) => {
      await storeSession(tab, server.host_url, who)
      await tab.goto(`${server.host_url}/host/online`)
      await expect(live(tab)).toBeVisible()
      return tab
    }),
})

export const live = (page: Page) => page.getByText('Up to date', { exact: true })
export const tile = (page: Page, { id }: Pick<Person, 'id'>) => page.locator(`[data-user-id="${id}"]`)
export const queue = (page: Page) => page.getByRole('list', { name: 'Raised hands, in order' }).getByRole('listitem')
export const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

/** Waits until the tile has this state, and the phone the given fields. */
export async function expectState(
  page: Page,
  person: Participant,
  state: 'speaking' | 'wants-to-speak' | 'muted' | 'speaker-on' | 'listening',
  onPhone: Partial<PhoneState> = {},
): Promise<void> {
  await expect(tile(page, person)).toHaveAttribute('data-state', state)
  await expectPhone(person, onPhone)
}

export function expectPhone({ phone }: Participant, state: Partial<PhoneState>): Promise<void> {
  return expect.poll(() => phone.state).toMatchObject(state)
}

/** Presses by keyboard, since a tile that has just moved ignores clicks. */
export async function pressByKey(within: Page | Locator, name: string): Promise<void> {
  await expect(button(within, name)).toBeEnabled()
  await pressEnter(button(within, name))
}

/** Holds Enter down on `pressed`, which moves the focus to `next`, long enough for the key to repeat there. */
export async function holdEnter({ keyboard }: Page, pressed: Locator, next: Locator): Promise<void> {
  await pressed.focus()
  await keyboard.down('Enter')
  await expect(next).toBeFocused()
  for (let repeats = 0; repeats < 3; repeats++) await keyboard.down('Enter')
  await keyboard.up('Enter')
}

export async function choose(page: Page, person: Pick<Person, 'id' | 'username'>, item: string): Promise<void> {
  await pressByKey(tile(page, person), `Actions for ${person.username}`)
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}
