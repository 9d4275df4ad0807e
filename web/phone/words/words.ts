import english from './en.json'

/** The forms of a text; a count selects one of them. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>>
export type Language = {
  direction: string // ltr or rtl
  reviewed: boolean // by a native speaker
  words: Record<string, string | PluralForms>
}

export type WordKey = keyof typeof english.words
export type Values = Record<string, string | number>
export type Translate = (key: WordKey, values?: Values) => string

export const ENGLISH: Language = english

/** Isolates a value's direction, so that a name in another script does not reorder the sentence. */
const isolated = (text: string) => `\u2068${text}\u2069`

/** Falls back to English if the language lacks the text. */
export function translateInto(code: string, language: Language, key: WordKey, values: Values = {}): string {
  const translated = language.words[key]
  const [word, locale] = translated === undefined ? [english.words[key], 'en'] : [translated, code]
  return fill(typeof word === 'string' ? word : formOf(word, locale, values.count), locale, values)
}

function formOf(forms: PluralForms, locale: string, count: string | number | undefined): string {
  const form = new Intl.PluralRules(locale).select(Number(count ?? 0))
  return forms[form] ?? forms.other ?? ''
}

function fill(text: string, locale: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name]
    if (value === undefined) return placeholder
    return typeof value === 'number' ? new Intl.NumberFormat(locale).format(value) : isolated(value)
  })
}
