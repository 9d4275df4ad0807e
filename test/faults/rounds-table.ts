import type { WrongTimes } from './samples.ts'

/** The results of one fault. Times in ms. */
export interface Round {
  fault: string
  acknowledged: number
  unanswered: number
  lost: number
  doubled: number
  server: WrongTimes
  console: WrongTimes
  phone: WrongTimes
  recoveredIn: number
}

const WRONG = ['A server wrong for', 'A console wrong for', 'A phone wrong for']
const HEAD = [
  ['Fault', 'Confirmed', 'No answer', 'Lost', 'Doubled', ...WRONG, 'All agree after'],
  ['---', '---:', '---:', '---:', '---:', '---:', '---:', '---:', '---:'],
]

/** Formats the table of docs/reliability.md: each pair of times is the maximum and the p99 of the samples. */
export const tableOf = (rounds: readonly Round[]) => [...HEAD.map(line), ...rounds.map(rowOf)].join('')

export function rowOf({ fault, acknowledged, unanswered, lost, doubled, recoveredIn, ...wrong }: Round): string {
  return line([
    fault,
    ...[acknowledged, unanswered, lost, doubled].map(String),
    ...[wrong.server, wrong.console, wrong.phone].map(({ longest, p99 }) => `${seconds(longest)}, ${seconds(p99)}`),
    seconds(recoveredIn),
  ])
}

const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
const seconds = (ms: number) => `${(ms / 1_000).toFixed(ms < 995 ? 2 : 1)} s`
