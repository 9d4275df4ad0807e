import { OFFERED_MONTHS } from '../../../shared/subscriptions.ts'

const VERB = /(^|\s)extend(?=\s|$)/i
/** The number may be followed by a unit that is still being typed. */
const LENGTH = /(?:^|\s)(?:by\s+)?(\d{1,2})\s*([my][a-z]*)?(?=\s|$)/i

type Extension = { name: string; months: readonly number[] }

/**
 * Reads “extend anna by 3 months”, in any order, as the name and the lengths meant of those that are sold; null if it
 * does not ask to extend.
 */
export function readExtension(words: string): Extension | null {
  if (!VERB.test(words)) return null
  const rest = words.replace(VERB, ' ')
  const name = rest
    .replace(LENGTH, ' ')
    .trim()
    .replace(/(^|\s)by$/i, '')
    .replace(/\s+/g, ' ')
  return name === '' ? null : { name, months: monthsOf(LENGTH.exec(rest)) }
}

function monthsOf(length: RegExpExecArray | null): readonly number[] {
  if (!length) return OFFERED_MONTHS
  const [, count = '', unit = ''] = length
  if (/^y/i.test(unit)) return OFFERED_MONTHS.filter((months) => months === Number(count) * 12)
  if (unit !== '') return OFFERED_MONTHS.filter((months) => months === Number(count))
  return OFFERED_MONTHS.filter((months) => String(months).startsWith(count)) // a 1 may become 12
}
