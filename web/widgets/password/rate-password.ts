import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: 100 })

/** Rates from 0 to 4 how many guesses a password takes. The names and their parts are what a guesser tries first. */
export function ratePassword(password: string, names: string): number {
  const parts = [names, ...names.split(/\s+/), ...names.split(/[^\p{L}\p{N}]+/u)].filter(({ length }) => length > 2)
  return zxcvbn.check(password, ['parley', ...parts]).score
}
