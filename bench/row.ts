import type { Stage, Theatre } from './stage.ts'

/** One goal: a path of the product beside the limit that the machine sets it in the same run. */
export interface Row {
  name: string // as it is chosen on the command line
  path: string
  goal: string
  rooms: number[] // sizes of the rooms that it needs
  measure(theatre: Theatre): Promise<Outcome>
}

export interface Outcome {
  product: string
  limit: string
  ratio: number | null
  isMet: boolean
  note?: string
}

export const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en')}/s`
export const inMs = (ms: number) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
export type { Stage }
