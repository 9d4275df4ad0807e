import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Package = z.object({
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
})
const Lock = z.object({ packages: z.record(z.string(), Package) })
const Manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) })

test('each package has a digest, comes from the default registry, and few may run scripts', async () => {
  const { packages } = Lock.parse(JSON.parse(await readFile('package-lock.json', 'utf8')))
  const { allowScripts } = Manifest.parse(JSON.parse(await readFile('package.json', 'utf8')))
  const { '': _root, ...others } = packages
  expect(Object.keys(others).length).toBeGreaterThan(100)
  for (const [path, { resolved, integrity }] of Object.entries(others)) {
    expect(integrity, path).toMatch(/^sha512-/)
    if (resolved) expect(resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\//)
  }
  expect(Object.keys(allowScripts)).toEqual(['node'])
})
