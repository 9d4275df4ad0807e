import { z } from 'zod'

/** Years that a calendar and a database both know. */
const isOurs = (text: string) => /^(19|20|21)/.test(text)

/** A day in UTC, as 2026-11-21. */
export const Day = z.iso.date({ error: 'This is not a day', abort: true }).refine(isOurs, 'This is not a day')

/** A day, or a moment of ISO 8601. */
export const dayOrTime = (otherwise: string) =>
  z.union([z.iso.date(), z.iso.datetime({ offset: true })], otherwise).refine(isOurs, otherwise)
export const DayOrTime = dayOrTime('This is not a day or a time')
