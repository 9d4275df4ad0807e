import { findHits } from './search-topics.ts'

/** The name of the browser's highlight, which `::highlight()` in Documentation.module.css colours. */
const NAME = 'documentation-search'

/** Marks the searched words in the text itself, if the browser can do so without changing the page. */
export function markHits(article: Element | null, typed: string) {
  if (typeof Highlight === 'undefined') return
  CSS.highlights.delete(NAME)
  if (!article || !typed.trim()) return
  const ranges: Range[] = []
  const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { from, to } of findHits(node.textContent ?? '', typed)) {
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      ranges.push(range)
    }
  }
  CSS.highlights.set(NAME, new Highlight(...ranges))
}
