import type { Crowd } from './crowd.ts'

export function statusLine({ phones, tally }: Crowd, time: string): string {
  const states = [...phones].map((phone) => phone.state)
  const connected = [...phones].filter((phone) => phone.isConnected).length
  const speaking = states.filter((state) => state.is_speaking).length
  const asking = states.filter((state) => state.wants_to_speak).length
  const muted = states.filter((state) => state.is_muted).length
  const people = `${connected} in the room, ${speaking} speaking, ${asking} asking to, ${muted} muted`
  return `${time}  ${people}; ${count(tally.events, 'event')} received, ${count(tally.acks, 'command')} acknowledged`
}

export function summary({ tally }: Crowd, ranMs: number): string {
  const median = medianOf(tally.ackMs)
  const lines = [
    `Ran for          ${(ranMs / 1000).toFixed(1)} s`,
    `Logins           ${tally.logins}`,
    `Events received  ${tally.events}`,
    `Acknowledged     ${count(tally.acks, 'command')}`,
    `Median command   ${median === null ? 'none received' : `${median.toFixed(1)} ms from its receipt to the server's answer`}`,
    `Streams lost     ${tally.lostStreams}`,
  ]
  for (const [message, times] of tally.refusals) lines.push(`Refused ${times}x: ${message}`)
  return lines.join('\n')
}

export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const high = sorted[Math.floor(middle)]
  const low = sorted[Math.ceil(middle) - 1]
  return high === undefined || low === undefined ? null : (low + high) / 2
}

function count(number: number, noun: string) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
