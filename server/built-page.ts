import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OPEN_PAGES } from '../shared/pages.ts'
import { BuildManifest, tagsFor } from './page-files.ts'

interface Built {
  at: number
  html: string
  /** By the open pages' paths. */
  tags: Map<string, string>
}

/** The page that Vite built, read again when it was built anew. */
export class BuiltPage {
  readonly #folder: string
  #built: Built | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The page for an address, with `head` in it; null while nothing is built. */
  async at(path: string, head: string): Promise<string | null> {
    const built = await this.#read()
    return built ? built.html.replace('<!--site-info-->', () => (built.tags.get(path) ?? '') + head) : null
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
      this.#built = { at: mtimeMs, html, tags }
      return this.#built
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  }
}
