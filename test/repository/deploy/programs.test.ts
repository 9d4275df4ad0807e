import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { captureAll, compose, readDeployFile, StringRecord } from './files.ts'

test('the systemd unit is valid, and takes away what the server does not need', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-unit-'))
  const path = join(folder, 'parley@3000.service')
  writeFileSync(
    path,
    readDeployFile('parley@.service')
      .replaceAll('/opt/parley', process.cwd())
      .replace('/usr/bin/node', process.execPath),
  )
  const analyse = (...args: string[]) => execFileSync('systemd-analyze', [...args, path], { stdio: 'pipe' })
  try {
    analyse('verify', '--recursive-errors=no')
    analyse('security', '--offline=true', '--threshold=20') // of 100; a unit without protection has 96
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the image and the unit keep compiled code in a folder of their own', () => {
  const [image, unit] = [readDeployFile('Dockerfile'), readDeployFile('parley@.service')]
  for (const file of [image, unit]) expect(file).toMatch(/NODE_COMPILE_CACHE=\/var\/cache\/parley$/m)
  expect(image).toMatch(/install --directory .* \/var\/cache\/parley$/m)
  expect(unit).toMatch(/^CacheDirectory=parley$/m)
})

describe('the image', () => {
  const image = readDeployFile('Dockerfile')
  const last = image.slice(image.lastIndexOf('\nFROM '))

  test('runs the server as a user without rights', () => {
    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(last).toMatch(/^CMD \["node", "--min-semi-space-size=8", "server\/main\.ts"\]$/m)
    expect(last).not.toMatch(/^(ADD|COPY \.) /m)
  })

  test('is made from versions that are named', () => {
    const stages = captureAll(image, / AS (\w+)$/gm)
    const bases = captureAll(image, /^FROM (\S+)/gm).filter((base) => !stages.includes(base))
    const version = readFileSync('.node-version', 'utf8').split('.')[0]
    expect(new Set(bases)).toEqual(new Set([`node:${version}-bookworm-slim`]))
  })

  test('has all files and packages that the server imports', () => {
    const copied = captureAll(last, /^COPY (?:--from=\w+ \S+ )?(\S+)/gm)
    const { dependencies } = z
      .object({ dependencies: StringRecord })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')))
    const { files, packages } = importedFrom(['server/main.ts'])
    expect(files.length).toBeGreaterThan(200)
    expect(files.filter((file) => !copied.some((copy) => file === copy || file.startsWith(`${copy}/`)))).toEqual([])
    expect(packages).toContain('fastify')
    expect(packages.filter((name) => !(name in dependencies))).toEqual([])
    expect(copied).toEqual(expect.arrayContaining(['migrations', 'web/dist']))
  })
})

test('Compose runs two equal nodes behind Caddy, and a Redis that asks for a password, evicts and stores nothing', () => {
  const { node1, node2, caddy, redis } = compose.services
  expect(node2).toEqual(node1)
  expect(caddy.environment.PARLEY_NODES).toBe(`node1:${node1.environment.PORT} node2:${node2.environment.PORT}`)
  expect(captureAll(readDeployFile('Caddyfile'), /\{\$(\w+):/g)).toEqual(Object.keys(caddy.environment))
  const password = String(redis.environment.REDISCLI_AUTH)
  expect(password).toMatch(/^\$\{REDIS_PASSWORD:\?\}$/) // from the settings file, like PostgreSQL's
  expect(redis.command.slice(0, 3)).toEqual(['redis-server', '--requirepass', password])
  expect(node1.environment.REDIS_URL).toBe(`redis://:${password}@redis:6379`)
  expect(redis.command.join(' ')).toMatch(/--save {2}--appendonly no .*--maxmemory-policy noeviction$/)
  expect(node1.volumes).toEqual([expect.stringMatching(`:${node1.environment.DATA_DIR}$`)])
  for (const volume of [...node1.volumes, ...caddy.volumes]) {
    const [source = ''] = volume.split(':')
    expect(source.startsWith('.') ? existsSync(join('deploy', source)) : source in compose.volumes, volume).toBe(true)
  }
})

/** Follows the imports that remain after stripping types. */
function importedFrom(entries: string[]): { files: string[]; packages: string[] } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    const text = readFileSync(file, 'utf8').replaceAll(/^(im|ex)port type [^']*'[^']+'$/gm, '')
    for (const to of captureAll(text, /(?:\bfrom |^import |\bimport\()'([^'\n]+)'/gm)) {
      if (to.startsWith('.')) visit(join(dirname(file), to))
      else if (!to.startsWith('node:')) packages.add(/^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to)
    }
  }
  entries.forEach(visit)
  return { files: [...files], packages: [...packages] }
}
