import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { OPEN_PAGES } from '../../../shared/pages.ts'
import { BuildManifest, tagsFor } from './page-files.ts'

interface Built {
  at: number
  html: string
  /** By the open pages' paths. */
  tags: Map<string, string>
  /** Pages that were asked for before, by what stands in them. */
  ready: Map<string, ReadyPage>
}

interface ReadyPage {
  html: string
  brotli: Buffer
}

/** Three sites with a dozen kinds of pages each. */
const MOST_READY = 100

/** The page that Vite built, read again when it was built anew. */
export class BuiltPage {
  readonly #folder: string
  #built: Built | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The page for an address, with `head` in it; null while nothing is built. */
  async at(path: string, head: string): Promise<ReadyPage | null> {
    const built = await this.#read()
    if (!built) return null
    const tags = built.tags.get(path) ?? ''
    const known = built.ready.get(tags + head)
    if (known) return known
    // The screen's own styles come last, as they do where its code asks for them.
    const html = built.html.replace('<!--site-info-->', () => head).replace('</head>', () => `${tags}</head>`)
    const page = { html, brotli: brotliCompressSync(html) }
    if (built.ready.size < MOST_READY) built.ready.set(tags + head, page)
    return page
  }

  async #read(): Promise<Built | null> {
    const page = join(this.#folder, 'index.html')
    try {
      const { mtimeMs } = await stat(page)
      if (this.#built?.at === mtimeMs) return this.#built
      const [html, manifest] = await Promise.all([
        readFile(page, 'utf8'),
        readFile(join(this.#folder, '.vite/manifest.json'), 'utf8').then((text) =>
          BuildManifest.parse(JSON.parse(text)),
        ),
      ])
      const tags = new Map(Object.entries(OPEN_PAGES).map(([path, { screen }]) => [path, tagsFor(manifest, screen)]))
      this.#built = { at: mtimeMs, html, tags, ready: new Map() }
      return this.#built
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  }
}
