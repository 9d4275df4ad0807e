export type TopicText = { id: string; title: string; text: string }
export type SearchResult = { id: string; title: string; snippet: string }

/** Characters before the first match; twice as many follow it. */
const CONTEXT = 60

/** Removes case and accents but keeps the length, so that positions in the result are positions in the text. */
const fold = (text: string) =>
  text
    .replace(/\P{ASCII}/gu, (letter) => {
      const plain = letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      return plain.length === letter.length ? plain : letter
    })
    .toLowerCase()

const wordsOf = (typed: string) => fold(typed).split(/\s+/).filter(Boolean)

/** Maps words that people type to the words of the guides. */
const SYNONYMS: Record<string, string[]> = {
  lost: ['new', 'switch'],
  stolen: ['new', 'switch'],
  broken: ['new', 'switch'],
  refund: ['paid', 'subscription'],
  invoice: ['paid', 'subscription'],
  price: ['paid', 'plan', 'subscription'],
  cost: ['paid', 'plan', 'subscription'],
  pay: ['paid', 'subscription'],
  kick: ['stop', 'sign out'],
  ban: ['stop'],
  block: ['stop'],
  silence: ['mute'],
  pin: ['password'],
  login: ['sign in'],
}

/** Returns topics with every word. Hits in the title rank first, then hits of the whole phrase in the text. */
export function searchTopics(topics: TopicText[], typed: string): SearchResult[] {
  const words = wordsOf(typed)
  if (words.length === 0) return []
  const phrase = words.join(' ')
  const meanings = words.map((word) => [word, ...(SYNONYMS[word] ?? [])])
  const hasAll = (text: string) => meanings.every((any) => any.some((word) => text.includes(word)))

  const rank = (topic: TopicText) => {
    const title = fold(topic.title)
    if (title.startsWith(phrase)) return 0
    if (title.includes(phrase)) return 1
    if (hasAll(title)) return 2
    return fold(topic.text).includes(phrase) ? 3 : 4
  }
  return topics
    .filter(({ title, text }) => hasAll(fold(`${title} ${text}`)))
    .map((topic) => ({ topic, rank: rank(topic) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ topic: { id, title, text } }) => ({ id, title, snippet: snippetAt(text, findHits(text, typed)[0]?.from) }))
}

/** Finds the typed words in a text, in order; if the text has the whole phrase, finds only the phrase. */
export function findHits(text: string, typed: string): { from: number; to: number }[] {
  const words = wordsOf(typed)
  const folded = fold(text)
  const phrase = words.join(' ')
  const wanted = folded.includes(phrase) ? [phrase] : words
  const pattern = wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  if (!pattern) return []
  return [...folded.matchAll(new RegExp(pattern, 'g'))].map(({ index, 0: hit }) => ({
    from: index,
    to: index + hit.length,
  }))
}

function snippetAt(text: string, match = 0): string {
  const from = match <= CONTEXT ? 0 : text.indexOf(' ', match - CONTEXT) + 1
  const end = Math.min(text.length, match + 2 * CONTEXT)
  const to = end === text.length ? end : text.lastIndexOf(' ', end)
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
}

/** Reads the text of each topic, without the topics inside it. */
export function readTopics(article: ParentNode): TopicText[] {
  return [...article.querySelectorAll('[data-topic]')].map((topic) => {
    const content = [...topic.children].filter((child) => !child.matches('[data-topic], h2, h3'))
    const text = content.map((child) => (child.matches('img') ? '' : textOf(child))).join(' ')
    return { id: topic.id, title: topic.getAttribute('data-topic') ?? '', text: text.replace(/\s+/g, ' ').trim() }
  })
}

/** Puts spaces between list items and cells, which `textContent` does not. */
function textOf(element: Element): string {
  const parts = element.matches('ul, ol, table') ? [...element.querySelectorAll('li, th, td')] : [element]
  return parts.map((part) => part.textContent).join(' ')
}
