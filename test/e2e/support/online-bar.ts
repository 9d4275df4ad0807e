import type { ServerProcess } from '../../server-process.ts'
import type { TestHost } from './hosts.ts'
import { addPeople, openPhone } from './people.ts'
import { expect } from './test.ts'
import { control } from './zoom.ts'

/** Of about 40 characters, as long as names usually get. */
export const LONG_NAMES = [
  'Maria Fernanda de Albuquerque e Castro',
  'Thiruvananthapuram Krishnaswamy Iyer',
  'محمد عبد الرحمن بن خالد بن سعود بن فيصل',
] as const

/** The widths of laptops and monitors, and how many lines the bar has there. */
export const BARS = [
  { width: 1024, lines: 4 },
  { width: 1280, lines: 3 },
  { width: 1440, lines: 3 },
  { width: 1920, lines: 3 },
] as const

/** The room's meeting runs and is recorded, and three with long names speak: the bar has as much in it as it gets. */
export async function fillBar(server: ServerProcess, host: TestHost): Promise<void> {
  await control(server, `/meetings/${host.rooms[0]?.zoom_meeting_id}/start`)
  const people = await addPeople(server, host, LONG_NAMES, (_, index) => ({ user_id: `U00010${index}` }))
  for (const person of people) await (await openPhone(server, host, person)).speak()
}

/** `read` runs a function in the page, whose window is as wide as `bar` says. */
export async function expectCalmBar(
  read: (script: () => unknown) => Promise<unknown>,
  { width, lines }: (typeof BARS)[number],
): Promise<void> {
  await expect
    .poll(() => read(measureBar), `the bar at ${width} px`)
    .toEqual({
      width,
      speakers: LONG_NAMES.length,
      cutNames: [],
      lines,
      isLow: true,
      linesOfCounts: 1,
      overlapping: [],
      outside: [],
      scrollsSideways: false,
    })
}

/** Runs in the page, so it uses nothing from outside itself. */
export function measureBar() {
  const bar = document.querySelector('section[aria-label="The room now"]')
  if (!bar) return null
  const box = (element: Element) => element.getBoundingClientRect()
  const within = (selector: string) => [...bar.querySelectorAll(selector)].filter((part) => box(part).width > 1)
  const nameOf = (part: Element) => `${part.tagName} ${part.textContent}`
  const names = within('ul[aria-label="Speaking now"] bdi')
  const parts = within('button, dl, bdi, p, [class*="Badge-root"]')
  const overlap = (one: Element, other: Element) => {
    const [a, b] = [box(one), box(other)]
    const isApart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1
    return !isApart && !one.contains(other) && !other.contains(one)
  }
  const isOutside = (part: Element) => box(part).right > box(bar).right - 8 || box(part).bottom > box(bar).bottom
  return {
    width: window.innerWidth,
    speakers: names.length,
    cutNames: names
      .filter((name) => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1)
      .map(nameOf),
    lines: bar.children.length,
    isLow: box(bar).height <= 64 * bar.children.length, // in px, with what is between them
    linesOfCounts: new Set(within('fieldset[aria-label="Show only"] button').map((part) => Math.round(box(part).top)))
      .size,
    overlapping: parts.flatMap((one, index) =>
      parts.slice(index + 1).flatMap((other) => (overlap(one, other) ? [`${nameOf(one)}, ${nameOf(other)}`] : [])),
    ),
    outside: parts.filter(isOutside).map(nameOf),
    scrollsSideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  }
}
