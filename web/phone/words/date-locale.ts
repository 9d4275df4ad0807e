const OWN_ORDER: Record<string, string> = { en: 'en-GB' }

/** The locale for dates in this language: the day before the month in English too. */
export const dateLocale = (code: string) => OWN_ORDER[code] ?? code
