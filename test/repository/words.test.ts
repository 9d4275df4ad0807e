import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

interface Text {
  file: string
  text: string
}

/** The words of docs/design.md in use, with the synonyms that are not. */
const NOT_USED: Record<string, RegExp> = {
  'sign in, sign-in': /\blog(s|ged|ging)? ?-?in(to|s)?\b|\blog ?on\b|\bsignin\b|\bsign in page\b/i,
  'sign out': /\blog(s|ged|ging)? ?(\S+ )?-?out\b/i,
  user: /\b(people|participants?|attendees?|members?|(some|no|every|any)body)\b/i,
  deactivate: /\b(stop|disable|block|ban)(s|p?ed|p?ing)? (…|((an?|the|this) )?(user|person))/i,
  phone: /\b(devices?|handsets?|smartphones?|mobile phones?)\b/i,
  meeting: /\b(conferences?|webinars?)\b/i,
  'raise a hand': /\b(ask|request)(s|ed|ing)? to speak\b/i,
  email: /\be-mails?\b/i,
  colour: /\bcolor(s|ed)?\b/i,
  immediately: /(?<!\b(all|many|several) )\bat once\b/i,
  'plain English': /\b(whom|whoever|anew|meanwhile)\b/i,
}

const design = readFileSync('docs/design.md', 'utf8')
/** Texts that the product description prescribes; if a file is named, only in that file. */
const VERBATIM = [...design.matchAll(/^\| “(.+)” \| (.*) \|$/gm)].map(([, text = '', where = '']) => ({
  text,
  files: [...where.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
}))

test('screens, messages, guides and the README use one word for one thing', () => {
  const sources = globSync(['{web,shared,server}/**/*.{ts,tsx}'], {
    exclude: (path) => /dist$|\.test\.tsx?$|\.d\.ts$|\/openapi$/.test(String(path)),
  })
  const guides = ['README.md', 'docs/try-it.md', ...globSync('docs/*-guide.md')]
  const texts = [...sources.flatMap(textsOfSource), ...guides.flatMap(textsOfGuide)]
  expect(VERBATIM.length).toBeGreaterThan(10)
  expect(texts.length).toBeGreaterThan(1500)
  expect(texts.flatMap(faultsOf)).toEqual([])
})

test.each([
  ['Log in again', ['sign in, sign-in']],
  ['Log … out', ['sign out']],
  ['Send your people an e-mail', ['user', 'email']],
  ['Stop user', ['deactivate']],
  ['Their phones leave at once', ['immediately']],
  ['Sign out all at once', []],
])('%j is found', (text, words) => {
  expect(faultsOf({ file: 'a.tsx', text })).toEqual(words.map((word) => `a.tsx: say "${word}": ${text}`))
})

function faultsOf({ file, text }: Text): string[] {
  const own = VERBATIM.filter(({ files }) => files.length === 0 || files.includes(file)).reduce(
    (rest, verbatim) => rest.replaceAll(verbatim.text, ''),
    text,
  )
  return Object.entries(NOT_USED)
    .filter(([, pattern]) => pattern.test(own))
    .map(([word]) => `${file}: say "${word}": ${text.slice(0, 160)}`)
}

/** Collects texts of screens: JSX text, and strings of words. The API document uses the words of its addresses. */
function textsOfSource(file: string): Text[] {
  const texts: Text[] = []
  const isApi = !file.startsWith('web/')
  const add = (value: string) => {
    const text = value
      .replace(/\S*\/[\w./-]+/g, '')
      .replace(/\s+/g, ' ')
      .trim() // excludes addresses
    const isWords = /^[A-Z…“][a-z]/.test(text) || (/[a-z] [a-z]/.test(text) && !isApi)
    if (isWords) texts.push({ file, text })
  }
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      node.forEach(walk)
      return
    }
    if (!isNode(node) || node.type === 'ImportDeclaration') return
    if (isApi && node.type === 'Property' && /^(description|summary)$/.test(nameOf(node.key))) return
    if (node.type === 'JSXText' || node.type === 'Literal') add(typeof node.value === 'string' ? node.value : '')
    if (node.type === 'TemplateLiteral' && Array.isArray(node.quasis)) add(node.quasis.map(cooked).join('…'))
    Object.values(node).forEach(walk)
  }
  walk(parseSync(file, readFileSync(file, 'utf8')).program)
  return texts
}

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const nameOf = (key: unknown) => (isNode(key) && typeof key.name === 'string' ? key.name : '')
const cooked = (quasi: unknown) =>
  isNode(quasi) && isNode(quasi.value) && typeof quasi.value.cooked === 'string' ? quasi.value.cooked : ''

function textsOfGuide(file: string): Text[] {
  const text = readFileSync(file, 'utf8').replace(/<a id="[\w-]+"><\/a>|\]\([^)]+\)|https?:\/\/[^\s)\]]+|`[^`]+`/g, '')
  return text.split(/\n(?=\n|[-#|]|\d+\.)/).map((part) => ({ file, text: part.replace(/\s+/g, ' ').trim() }))
}
