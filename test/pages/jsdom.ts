import { configure } from '@testing-library/react'
import { watchPages } from './page.tsx'

configure({
  defaultHidden: true, // without styles here, nothing marks elements as hidden
  asyncUtilTimeout: 60_000,
  // Omits the whole page, which would bury the query.
  getElementError: (message) =>
    Object.assign(new Error(message?.split('\n\n')[0]), { name: 'TestingLibraryElementError' }),
})

// With jsdom's own one the server, in the same process, would not recognise a Buffer, and send a large answer as JSON.
Object.assign(globalThis, { ArrayBuffer: Buffer.alloc(0).buffer.constructor })

// Adds what jsdom lacks without a layout: a wide screen on which sizes never change.
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
/** Never reports an element as visible. */
Object.assign(window, {
  IntersectionObserver: class {
    observe() {}
    disconnect() {}
  },
})
/** Never opens; polls bring the same data as a stream. */
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
// jsdom would evaluate all style sheets for each inspected element; none of them hides anything.
window.getComputedStyle = (element) => (element instanceof HTMLElement ? element.style : document.body.style)

watchPages()
