import { configure } from '@testing-library/react'
import { watchPages } from './page.tsx'

configure({
  defaultHidden: true, // no styles are loaded here: nothing tells what they would hide
  asyncUtilTimeout: 60_000,
  // Without the whole page, which hides what was looked for.
  getElementError: (message) =>
    Object.assign(new Error(message?.split('\n\n')[0]), { name: 'TestingLibraryElementError' }),
})

// What jsdom lacks, having no layout: a wide screen on which nothing ever changes its size.
window.matchMedia = (query) => ({
  matches: /min-width|prefers-reduced-motion: reduce/.test(query),
  media: query,
  onchange: null,
  addListener() {},
  removeListener() {},
  addEventListener() {},
  removeEventListener() {},
  dispatchEvent: () => false,
})
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
/** Nothing is ever seen to come into view. */
Object.assign(window, {
  IntersectionObserver: class {
    observe() {}
    disconnect() {}
  },
})
/** Never opens: what a stream brings, polls bring too. */
Object.assign(window, {
  EventSource: class extends EventTarget {
    readyState = 0
    close() {}
  },
})
Element.prototype.getBoundingClientRect = () => DOMRect.fromRect({ width: 1440, height: 40 })
window.scrollTo = () => {}
Element.prototype.scrollIntoView = () => {}
Object.assign(document, { fonts: new EventTarget() })
Object.assign(window, {
  ClipboardItem: class {
    readonly #texts: Record<string, Promise<Blob>>
    constructor(texts: Record<string, Promise<Blob>>) {
      this.#texts = texts
    }
    getType(type: string) {
      return this.#texts[type]
    }
  },
})
// jsdom would go through all style sheets for each element that is looked at; none of them hides anything.
window.getComputedStyle = (element) => (element instanceof HTMLElement ? element.style : document.body.style)

watchPages()
