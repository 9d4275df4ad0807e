export type TopicText = { id: string; title: string; text: string }
export type Found = { id: string; title: string; snippet: string }

const AROUND = 60

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The topics that hold every word, those first that have all of them in their title. */
export function searchTopics(topics: TopicText[], typed: string): Found[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const holds = (text: string) => words.every((word) => plain(text).includes(word))
  const found = topics.filter(({ title, text }) => holds(`${title} ${text}`))
  const inTitle = found.filter(({ title }) => holds(title))
  const others = found.filter((topic) => !inTitle.includes(topic))
  return [...inTitle, ...others].map(({ id, title, text }) => ({ id, title, snippet: snippetAt(text, words) }))
}

/** The place of the first word, with what stands around it. */
function snippetAt(text: string, words: string[]): string {
  const places = words.map((word) => plain(text).indexOf(word)).filter((place) => place >= 0)
  const place = places.length > 0 ? Math.min(...places) : 0
  const from = place <= AROUND ? 0 : text.indexOf(' ', place - AROUND) + 1
  const end = Math.min(text.length, place + 2 * AROUND)
  const to = end === text.length ? end : text.lastIndexOf(' ', end)
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
}

/** Each topic's own words: those of the topics inside a chapter are theirs. */
export function readTopics(article: ParentNode): TopicText[] {
  return [...article.querySelectorAll('[data-topic]')].map((topic) => {
    const own = [...topic.children].filter((child) => !child.matches('[data-topic], h2, h3'))
    const text = own.map((child) => (child.matches('img') ? '' : wordsOf(child))).join(' ')
    return { id: topic.id, title: topic.getAttribute('data-topic') ?? '', text: text.replace(/\s+/g, ' ').trim() }
  })
}

/** With a space between list items and cells, which their text alone would run together. */
function wordsOf(element: Element): string {
  const parts = element.matches('ul, ol, table') ? [...element.querySelectorAll('li, th, td')] : [element]
  return parts.map((part) => part.textContent).join(' ')
}
