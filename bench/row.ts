import type { Theatre } from './stage.ts'

/** What is chosen on the command line: one measurement, for one or more goals. */
export interface Row {
  name: string
  rooms: number[] // sizes of the rooms that it needs
  onlyWhenAsked?: true // takes too long for every run
  measure(theatre: Theatre): Promise<Outcome[]>
}

/** One goal: a path of the product beside the limit that the machine sets it in the same run. */
export interface Outcome {
  path: string
  product: string
  limit: string
  ratio: number | null
  goal: string
  isMet: boolean
  note?: string
}

/** Rates are of the server's own CPU time, so that what else runs on the machine does not count. */
export const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en')}/s`
export const inMs = (ms: number) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
