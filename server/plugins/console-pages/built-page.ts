import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { BuildManifest, tagsFor } from './page-files.ts'

/** The source file of each path's screen, whose files are loaded with the page. */
type Screens = readonly (readonly [path: string, screen: string])[]

interface Built {
  at: number
  html: string
  /** Tags by path. */
  tags: Map<string, string>
  /** Rendered pages by their tags and head. */
  rendered: Map<string, RenderedPage>
}

interface RenderedPage {
  html: string
  brotli: Buffer
}

/** Three sites have the console, with a dozen kinds of pages each. */
const MAX_RENDERED = 100

/** A page that Vite built. It is read again after each build. */
export class BuiltPage {
  readonly #folder: string
  readonly #entry: string
  readonly #screens: Screens
  #built: Built | undefined

  /** `entry` is a file of `folder`. */
  constructor(folder: string, entry: string, screens: Screens = []) {
    this.#folder = folder
    this.#entry = entry
    this.#screens = screens
  }

  /** Returns null while nothing is built. */
  async at(path: string, head: string): Promise<RenderedPage | null> {
    const built = await this.#read()
    if (!built) return null
    const tags = built.tags.get(path) ?? ''
    const rendered = built.rendered.get(tags + head)
    if (rendered) return rendered
    // The screen's styles come last, as when its code loads them.
    const html = built.html.replace('<!--site-info-->', () => head).replace('</head>', () => `${tags}</head>`)
    const page = { html, brotli: brotliCompressSync(html) }
    if (built.rendered.size < MAX_RENDERED) built.rendered.set(tags + head, page)
    return page
  }

  async #read(): Promise<Built | null> {
    const page = join(this.#folder, this.#entry)
    try {
      const { mtimeMs } = await stat(page)
      if (this.#built?.at === mtimeMs) return this.#built
      const [html, manifest] = await Promise.all([
        readFile(page, 'utf8'),
        readFile(join(this.#folder, '.vite/manifest.json'), 'utf8').then((text) =>
          BuildManifest.parse(JSON.parse(text)),
        ),
      ])
      const tags = new Map(this.#screens.map(([path, screen]) => [path, tagsFor(manifest, screen, this.#entry)]))
      this.#built = { at: mtimeMs, html, tags, rendered: new Map() }
      return this.#built
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  }
}
