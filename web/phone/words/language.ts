import { useCallback, useSyncExternalStore } from 'react'
import { readStored, store } from '../storage.ts'
import { ENGLISH, type Language, type Translate, translateInto } from './words.ts'

/** Each file of this folder is a language; English is in the entry. */
const files = import.meta.glob<Language>(['./*.json', '!./en.json'], { import: 'default' })
const codeOf = (path: string) => path.replace(/^.*\/|\.json$/g, '')
const CODES = ['en', ...Object.keys(files).map(codeOf)]

type Current = { code: string; language: Language }

let current: Current = { code: 'en', language: ENGLISH }
const listeners = new Set<() => void>()

/** The languages by code, each named in its own language. */
export const LANGUAGES = CODES.map((code) => ({ code, name: nameOf(code) }))

function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

/** Returns the language chosen before, else the first of the browser's that exists. */
export function preferredLanguage(wanted: readonly string[], chosen = readStored('language')): string {
  const codes = [chosen, ...wanted].map((tag) => tag?.split('-')[0]?.toLowerCase())
  return codes.find((code) => code !== undefined && CODES.includes(code)) ?? 'en'
}

export async function chooseLanguage(code: string): Promise<void> {
  store('language', code)
  await applyLanguage(code)
}

/** Falls back to English if the file cannot be loaded. */
export async function applyLanguage(code: string): Promise<void> {
  const load = files[`./${code}.json`]
  const language = load ? await load().catch(() => null) : null
  current = language ? { code, language } : { code: 'en', language: ENGLISH }
  const { documentElement } = document
  documentElement.lang = current.code
  documentElement.dir = current.language.direction
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useLanguage(): Current {
  return useSyncExternalStore(subscribe, () => current)
}

export function useTranslate(): Translate {
  const { code, language } = useLanguage()
  return useCallback((key, values) => translateInto(code, language, key, values), [code, language])
}

/** Translates outside of components. */
export const translate: Translate = (key, values) => translateInto(current.code, current.language, key, values)
