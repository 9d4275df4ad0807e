const WORDS = new Intl.Segmenter('en', { granularity: 'word' })
/** The marks of Latin, Greek and Cyrillic letters. Those of other scripts are vowels. */
const ACCENTS = /[\u0300-\u036f]/g
/** Longer ones are cut, in what is searched as in what is searched for. */
const MAX_LENGTH = 40

export type FoundWord = { word: string; from: number; to: number }

/** Lists the words of a text in any language, without case and accents, and where each stands. */
export function searchWords(text: string): FoundWord[] {
  return [...WORDS.segment(text)].flatMap(({ segment, index, isWordLike }) => {
    const word = isWordLike ? foldWord(segment) : ''
    return word ? [{ word, from: index, to: index + segment.length }] : []
  })
}

function foldWord(text: string): string {
  const folded = text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC').toLowerCase().replaceAll('’', "'")
  return [...folded].slice(0, MAX_LENGTH).join('')
}

/** Returns true where a word is searched for: whole, or the beginning of it for the last one. */
export function wordMatcher(query: string): (word: string) => boolean {
  const words = searchWords(query).map(({ word }) => word)
  const last = words.pop()
  return (word) => words.includes(word) || (last !== undefined && word.startsWith(last))
}
