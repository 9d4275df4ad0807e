import { z } from 'zod'

const Chunk = z.object({
  file: z.string(),
  imports: z.array(z.string()).optional(),
  css: z.array(z.string()).optional(),
})
/** Vite's manifest: the built files by source file. */
export const BuildManifest = z.record(z.string(), Chunk)
export type BuildManifest = z.infer<typeof BuildManifest>

/** Builds tags that preload a screen's code and styles with the page. Files of the page's entry are already in it. */
export function tagsFor(manifest: BuildManifest, screen: string, entry: string): string {
  const loaded = new Set<string>()
  collect(manifest, entry, loaded)
  const needed = new Set<string>()
  collect(manifest, screen, needed)
  return [...needed.difference(loaded)].map(tag).join('')
}

function collect(manifest: BuildManifest, source: string, files: Set<string>): void {
  const chunk = manifest[source]
  if (!chunk || files.has(chunk.file)) return
  files.add(chunk.file)
  for (const file of chunk.css ?? []) files.add(file)
  for (const needed of chunk.imports ?? []) collect(manifest, needed, files)
}

function tag(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`
}
