export type TopicText = { id: string; title: string; text: string }
export type SearchResult = { id: string; title: string; snippet: string }

/** Letters before the first match; twice as many follow it. */
const CONTEXT = 60

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Topics with every word; first those with all of them in the title. */
export function searchTopics(topics: TopicText[], typed: string): SearchResult[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const hasAll = (text: string) => words.every((word) => plain(text).includes(word))
  const found = topics.filter(({ title, text }) => hasAll(`${title} ${text}`))
  const inTitle = found.filter(({ title }) => hasAll(title))
  const others = found.filter((topic) => !inTitle.includes(topic))
  return [...inTitle, ...others].map(({ id, title, text }) => ({ id, title, snippet: snippetAt(text, words) }))
}

function snippetAt(text: string, words: string[]): string {
  const matches = words.map((word) => plain(text).indexOf(word)).filter((index) => index >= 0)
  const match = matches.length > 0 ? Math.min(...matches) : 0
  const from = match <= CONTEXT ? 0 : text.indexOf(' ', match - CONTEXT) + 1
  const end = Math.min(text.length, match + 2 * CONTEXT)
  const to = end === text.length ? end : text.lastIndexOf(' ', end)
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`
}

/** The text of each topic, without that of the topics inside it. */
export function readTopics(article: ParentNode): TopicText[] {
  return [...article.querySelectorAll('[data-topic]')].map((topic) => {
    const own = [...topic.children].filter((child) => !child.matches('[data-topic], h2, h3'))
    const text = own.map((child) => (child.matches('img') ? '' : textOf(child))).join(' ')
    return { id: topic.id, title: topic.getAttribute('data-topic') ?? '', text: text.replace(/\s+/g, ' ').trim() }
  })
}

/** With spaces between list items and cells, which `textContent` has not. */
function textOf(element: Element): string {
  const parts = element.matches('ul, ol, table') ? [...element.querySelectorAll('li, th, td')] : [element]
  return parts.map((part) => part.textContent).join(' ')
}
