import type { Page } from '@playwright/test'

const PICTURES = '../web/features/public-pages/pictures'
/** Wherever the page was read, the guides name the addresses that a start without settings has. */
const USUAL_PORT = '3000'

const NOTE = `<!-- Written from the documentation page by "npm run pictures -- guides". Change it there, in
     web/features/public-pages/documentation/. -->`

const LEADS = {
  "The host's guide":
    'For hosts, who each have a room. The same stands, with a search, on the page Documentation of every Parley.',
  "The master's guide":
    "For masters, who make and keep the hosts' accounts. What hosts do, and all numbers and limits, are in [the host's guide](host-guide.md).",
}

/** The two guides of `docs/`, as Markdown, from the documentation page that is open: so that they cannot differ from it. */
export async function readGuides(page: Page): Promise<Record<'host-guide.md' | 'master-guide.md', string>> {
  const chapters = await page.evaluate(chaptersAsMarkdown, PICTURES)
  const guide = (title: keyof typeof LEADS, parts: string[]) => {
    const text = [`# ${title}`, NOTE, LEADS[title], ...parts].join('\n\n')
    return `${text.replace(/(localhost):\d+/g, `$1:${USUAL_PORT}`)}\n`
  }
  const forMasters = chapters.find(({ id }) => id === 'administrators')
  // The guide to Zoom is written in docs/ itself.
  const forHosts = chapters.filter((chapter) => chapter !== forMasters && chapter.id !== 'zoom-setup')
  const itsTopics = forMasters?.text.replace(/^## .*\n+/, '').replaceAll('### ', '## ') ?? ''
  return {
    'host-guide.md': guide(
      "The host's guide",
      forHosts.map(({ text }) => text),
    ),
    'master-guide.md': guide("The master's guide", [itsTopics]),
  }
}

/** Runs in the page. */
function chaptersAsMarkdown(pictures: string): { id: string; text: string }[] {
  const squeezed = (text: string) => text.replace(/\s+/g, ' ')

  function words(node: Node): string {
    if (node instanceof HTMLAnchorElement) {
      const address = node.getAttribute('href') ?? ''
      return /^(https?|mailto):/.test(address) ? `[${inner(node)}](${address})` : inner(node)
    }
    if (node instanceof HTMLElement && node.tagName === 'KBD') return `<kbd>${inner(node)}</kbd>`
    if (node instanceof HTMLElement && /^(STRONG|B)$/.test(node.tagName)) return `**${inner(node)}**`
    return node instanceof HTMLElement ? inner(node) : squeezed(node.textContent ?? '')
  }
  const inner = (node: Node) => [...node.childNodes].map(words).join('')
  const sentence = (node: Node) => inner(node).trim()
  const row = (cells: Iterable<Element>) => `| ${[...cells].map(sentence).join(' | ')} |`

  function block(node: Element): string[] {
    if (node instanceof HTMLImageElement) return [`![${node.alt}](${pictures}/${node.dataset.picture}.webp)`]
    switch (node.tagName) {
      case 'SECTION':
        return [...node.children].flatMap(block)
      case 'H2':
        return [`## ${sentence(node)}`]
      case 'H3':
        return [`### ${sentence(node)}`]
      case 'UL':
        return [[...node.children].map((item) => `- ${sentence(item)}`).join('\n')]
      case 'OL':
        return [[...node.children].map((item, at) => `${at + 1}. ${sentence(item)}`).join('\n')]
      case 'TABLE': {
        const [head, ...rows] = [...node.querySelectorAll('tr')].map((line) => row(line.children))
        return [[head, (head ?? '').replace(/[^|]+/g, ' --- ').trim(), ...rows].join('\n')]
      }
      default:
        return [sentence(node)]
    }
  }

  const sections = [...document.querySelectorAll('article > section')]
  return sections.map((section) => ({ id: section.id, text: block(section).join('\n\n') }))
}
