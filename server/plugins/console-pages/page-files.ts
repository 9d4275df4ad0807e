import { z } from 'zod'

const Chunk = z.object({
  file: z.string(),
  isEntry: z.boolean().optional(),
  imports: z.array(z.string()).optional(),
  css: z.array(z.string()).optional(),
})
/** What Vite writes about a build: by source file, what it became and what that needs. */
export const BuildManifest = z.record(z.string(), Chunk)
export type BuildManifest = z.infer<typeof BuildManifest>

/**
 * The tags that let a browser fetch a screen's code along with the page, instead of finding out about it by running
 * the code that comes first. What the page names already is left out.
 */
export function tagsFor(manifest: BuildManifest, screen: string): string {
  const known = new Set<string>()
  for (const [source, { isEntry }] of Object.entries(manifest)) if (isEntry) gather(manifest, source, known)
  const needed = new Set<string>()
  gather(manifest, screen, needed)
  return [...needed.difference(known)].map(tag).join('')
}

function gather(manifest: BuildManifest, source: string, files: Set<string>): void {
  const chunk = manifest[source]
  if (!chunk || files.has(chunk.file)) return
  files.add(chunk.file)
  for (const file of chunk.css ?? []) files.add(file)
  for (const needed of chunk.imports ?? []) gather(manifest, needed, files)
}

function tag(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`
}
