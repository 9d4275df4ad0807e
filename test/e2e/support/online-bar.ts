import type { ServerProcess } from '../../servers/server-process.ts'
import type { TestHost } from './hosts.ts'
import { addPeople, openPhone } from './people.ts'
import { expect } from './test.ts'
import { control } from './zoom.ts'

/** Names of about 40 characters, close to the longest in practice. */
export const LONG_NAMES = [
  'Maria Fernanda de Albuquerque e Castro',
  'Thiruvananthapuram Krishnaswamy Iyer',
  'محمد عبد الرحمن بن خالد بن سعود بن فيصل',
] as const

/** Widths of laptops and monitors, with the bar's number of lines. */
export const BAR_LINES_BY_WIDTH = [
  { width: 1024, lines: 4 },
  { width: 1280, lines: 3 },
  { width: 1440, lines: 3 },
  { width: 1920, lines: 3 },
] as const

/** Fills the bar to its maximum: the room's meeting runs and is recorded, and three users with long names speak. */
export async function fillBar(server: ServerProcess, host: TestHost): Promise<void> {
  await control(server, `/meetings/${host.rooms[0]?.zoom_meeting_id}/start`)
  const people = await addPeople(server, host, LONG_NAMES, (_, index) => ({ user_id: `U00010${index}` }))
  for (const person of people) await (await openPhone(server, host, person)).speak()
}

/** `read` runs a function in the page, whose window has the width of `bar`. */
export async function expectStableBar(
  read: (script: () => unknown) => Promise<unknown>,
  { width, lines }: (typeof BAR_LINES_BY_WIDTH)[number],
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

/** Runs in the page, so it must be self-contained. */
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
    isLow: box(bar).height <= 64 * bar.children.length, // px, including the gaps
    linesOfCounts: new Set(within('fieldset[aria-label="Show only"] button').map((part) => Math.round(box(part).top)))
      .size,
    overlapping: parts.flatMap((one, index) =>
      parts.slice(index + 1).flatMap((other) => (overlap(one, other) ? [`${nameOf(one)}, ${nameOf(other)}`] : [])),
    ),
    outside: parts.filter(isOutside).map(nameOf),
    scrollsSideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  }
}
