import type { z } from 'zod'

/** Names of the invisible characters that occur in names; others are shown by number. */
const NAMES: Record<string, string> = {
  '\u00ad': 'soft hyphen',
  '\u034f': 'combining grapheme joiner',
  '\u061c': 'Arabic letter mark',
  '\u115f': 'Hangul filler',
  '\u1160': 'Hangul filler',
  '\u17b4': 'Khmer inherent vowel',
  '\u17b5': 'Khmer inherent vowel',
  '\u180e': 'Mongolian vowel separator',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u2028': 'line separator',
  '\u2029': 'paragraph separator',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'pop directional formatting',
  '\u202d': 'left-to-right override',
  '\u202e': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'pop directional isolate',
  '\u2800': 'blank Braille pattern',
  '\u3164': 'Hangul filler',
  '\ufeff': 'zero width no-break space',
  '\uffa0': 'Hangul filler',
  '\ufffc': 'object replacement character',
}

/** Matches format and control characters, noncharacters, and letters without a glyph. */
const INVISIBLE =
  /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Zl}\p{Zp}\u2800\ufffc]/u
/** Two joiners belong to spelling in some scripts: between joining letters, and after combining marks. */
const JOINING = scripts('Arabic', 'Syriac', 'Nko', 'Mongolian')
const FORMING = scripts(
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Tibetan', 'Myanmar', 'Khmer', 'Balinese', 'Javanese'],
)
const LETTER = '(?=[\\p{L}\\p{M}])'
const SPELLING = new RegExp(
  `(?<=${LETTER}[${JOINING}])[\\u200c\\u200d](?=${LETTER}[${JOINING}])|` +
    `(?<=(?=\\p{M})[${FORMING}])[\\u200c\\u200d](?=${LETTER}[${FORMING}])`,
  'gu',
)
/** Matches emoji, including joined ones with variation selectors and skin tones. */
const EMOJI =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/gu

function scripts(...names: string[]): string {
  return names.map((name) => `\\p{Script_Extensions=${name}}`).join('')
}

/** Returns the first character that is invisible or changes text direction; null if there is none. */
export function firstInvisibleCharacter(text: string): string | null {
  const found = INVISIBLE.exec(text.replaceAll(SPELLING, '').replaceAll(EMOJI, ''))?.[0]
  if (found === undefined) return null
  const number = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return NAMES[found] ? `${NAMES[found]}, ${number}` : number
}

/** Alphabets with similar letters. A word that mixes two of them is hardly intended. */
const LOOK_ALIKES = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/** Validates identifying names (for `superRefine`): a Cyrillic а in a Latin word looks like another name. */
export function refuseMixedAlphabets(text: string, context: z.RefinementCtx): void {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  if (words.some((word) => LOOK_ALIKES.filter((script) => script.test(word)).length > 1))
    context.addIssue({
      code: 'custom',
      message: 'This mixes letters of two alphabets in one word, which may look like another name',
    })
}

/** Validates multi-line text (for `superRefine`): refuses invisible characters and ones that reorder others. */
export function visibleLines(text: string, context: z.RefinementCtx): void {
  visible(text.replaceAll(/[\r\n\t]/g, ' '), context)
}

/** Validates a name (for `superRefine`): readers cannot distinguish names that differ only in invisible characters. */
export function visible(text: string, context: z.RefinementCtx): void {
  const found = firstInvisibleCharacter(text)
  if (found) context.addIssue({ code: 'custom', message: `This holds a character that cannot be seen (${found})` })
}

const GRAPHEMES = new Intl.Segmenter()
/** More than a family of emoji has. A letter with more marks is shown without them. */
const CODE_POINTS_OF_ONE = 16
const ALL_INVISIBLE = new RegExp(INVISIBLE.source, 'gu')
const KEPT = new RegExp(`${SPELLING.source}|${EMOJI.source}`, 'gu')

/** Cuts a foreign name to its first characters, without invisible ones and ones that change text direction. */
export function cutToVisible(text: string, length: number): string {
  const graphemes = GRAPHEMES.segment(withoutInvisible(text.replaceAll(/\s+/g, ' ')).trim())
  let cut = ''
  let count = 0
  for (const { segment } of graphemes) {
    if (count++ === length) break
    const points = [...segment]
    cut += points.length > CODE_POINTS_OF_ONE ? points[0] : segment
  }
  return cut.trim()
}

function withoutInvisible(text: string): string {
  let rest = ''
  let from = 0
  for (const { index, 0: kept } of text.matchAll(KEPT)) {
    rest += text.slice(from, index).replaceAll(ALL_INVISIBLE, '') + kept
    from = index + kept.length
  }
  return rest + text.slice(from).replaceAll(ALL_INVISIBLE, '')
}
