import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DCLinter } from 'dclint'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../../../server/config.ts'
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
    const { files, packages } = importedFrom(['server/main.ts', ...globSync('server/commands/*.ts')])
    expect(files.length).toBeGreaterThan(200)
    expect(files.filter((file) => !copied.some((copy) => file === copy || file.startsWith(`${copy}/`)))).toEqual([])
    expect(packages).toContain('fastify')
    expect(packages.filter((name) => !(name in dependencies))).toEqual([])
    expect(copied).toEqual(expect.arrayContaining(['migrations', 'web/dist']))
  })
})

describe('Compose', () => {
  const { services, volumes, secrets } = compose
  const { node1, node2, caddy, postgres, redis } = services

  test('runs two equal nodes behind Caddy, and a Redis that evicts and stores nothing', () => {
    expect(node2).toEqual(node1)
    expect(caddy.environment.PARLEY_NODES).toBe(`node1:${node1.environment.PORT} node2:${node2.environment.PORT}`)
    expect(captureAll(readDeployFile('Caddyfile'), /\{\$(\w+):/g)).toEqual(Object.keys(caddy.environment))
    expect(redis.command.join(' ')).toMatch(/--save {2}--appendonly no .*--maxmemory-policy noeviction$/)
    expect(node1.volumes).toEqual([
      `data:${node1.environment.DATA_DIR}`,
      `\${BACKUP_FOLDER:-backups}:${node1.environment.BACKUP_TO}`,
    ])
    expect(Object.keys(volumes)).toContain('backups')
    for (const volume of caddy.volumes) {
      const [source = ''] = volume.split(':')
      expect(source.startsWith('.') ? existsSync(join('deploy', source)) : source in volumes, volume).toBe(true)
    }
  })

  test('is what the specification of Compose allows', () => {
    const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] })
    const found = linter.lintFiles(['deploy/compose.yaml'], false)
    const faults = found.flatMap(({ messages }) => messages.filter(({ rule }) => rule.startsWith('invalid-')))
    expect(faults).toEqual([])
  })

  test('gives each secret as a file, which a script makes and Git ignores', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
    try {
      const script = join(folder, 'make-secrets.sh')
      copyFileSync('deploy/make-secrets.sh', script)
      const run = (input: string) => execFileSync('sh', [script], { input, stdio: ['pipe', 'ignore', 'pipe'] })
      run('client secret\nwebhook secret\n')
      const made = readdirSync(join(folder, 'secrets'))
      expect(Object.entries(secrets).sort()).toEqual(made.map((name) => [name, { file: `secrets/${name}` }]))
      const read = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')
      const before = made.map(read)
      run('') // asks for nothing that is there
      expect(made.map(read)).toEqual(before)
      expect(new Set(before).size).toBe(made.length)
      expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
      for (const name of made) expect(statSync(join(folder, 'secrets', name)).mode & 0o777).toBe(0o444)

      const inFolder = (text: string) => text.replace('/run/secrets', join(folder, 'secrets'))
      const given = Object.entries(node1.environment).map(([name, value]) => [
        name,
        inFolder(value.replace(/^\$\{\w+-(.*)\}$/, '$1')),
      ])
      const config = readConfig({ ...Object.fromEntries(given), ZOOM_CLIENT_ID: 'id' })
      expect(config).toMatchObject({ ZOOM_CLIENT_SECRET: 'client secret', ZOOM_WEBHOOK_SECRET: 'webhook secret' })
      expect(config.DATABASE_URL).toBe(`postgresql://parley:${read('postgres_password').trim()}@postgres:5432/parley`)
      expect(`requirepass ${new URL(config.REDIS_URL ?? '').password}\n`).toBe(read('redis.conf'))

      const used = [...node1.secrets, ...postgres.secrets, ...redis.secrets]
      expect(used.sort()).toEqual(made)
      const named = captureAll(readDeployFile('compose.yaml'), /\/run\/secrets\/([\w.]+)/g)
      expect([...new Set(named)].sort()).toEqual(made)
    } finally {
      rmSync(folder, { recursive: true })
    }
    const ignored = execFileSync('git', ['check-ignore', 'deploy/secrets/secret_key', 'deploy/.env'], {
      encoding: 'utf8',
    })
    expect(ignored.trim().split('\n')).toHaveLength(2)
    expect(readDeployFile('Dockerfile.dockerignore').split('\n')).toEqual(
      expect.arrayContaining(['deploy/secrets', '**/.env']),
    )
  })
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
      else if (!/^(node:|\/)/.test(to)) packages.add(/^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to)
    }
  }
  entries.forEach(visit)
  return { files: [...files], packages: [...packages] }
}
