// Builds the image of deploy/Dockerfile with buildah, which needs no container engine, and runs it as deploy/compose.yaml does.
// No registry of images is asked: in place of the base image there is a root made of Debian's packages, this Node.js and this npm.
// PostgreSQL and Redis are those of this machine. Needs root, and Debian's and npm's registries.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parseYaml } from '@redocly/openapi-core'
import { z } from 'zod'
import { freePort } from '../test/servers/free-port.ts'
import { startPostgres } from '../test/servers/postgres.ts'

const BASE = 'docker.io/library/node:26-bookworm-slim'
const LONGEST_WAIT_MS = 120_000

const Image = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Cmd: z.array(z.string()),
      Env: z.array(z.string()),
      WorkingDir: z.string(),
      Healthcheck: z.object({ Test: z.tuple([z.literal('CMD')], z.string()) }),
    }),
  }),
})
const Strings = z.record(z.string(), z.string())
const Compose = z.object({
  services: z.object({
    node1: z.object({ environment: Strings }),
    redis: z.object({
      command: z.array(z.string()),
      healthcheck: z.object({ test: z.tuple([z.literal('CMD-SHELL'), z.string()]) }),
    }),
  }),
})

const folder = mkdtempSync(join(tmpdir(), 'parley-image-'))
const [data, backups] = [join(folder, 'data'), join(folder, 'backups')]
const secrets = join(folder, 'secrets')
const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', TMPDIR: folder }
const buildah = (...args: string[]) =>
  execFileSync('buildah', [...storage, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

let passed = 0
/** The lines of the server. */
let output = ''
const cleanUps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${output}`)
  process.exitCode = 1
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
}
process.stdout.write(`${passed} passed, ${process.exitCode ? 1 : 0} failed\n`)

async function main() {
  await step('The base image is replaced by a root of Debian packages', makeBase)
  await step('The image is built, each step of the Dockerfile', build)
  const { config } = Image.parse(JSON.parse(buildah('inspect', '--type', 'image', 'parley'))).Docker
  const { node1, redis } = Compose.parse(parseYaml(readFileSync('deploy/compose.yaml', 'utf8'))).services
  const [, ...probe] = config.Healthcheck.Test

  const redisPort = await freePort()
  const postgres = await startPostgres()
  cleanUps.push(() => postgres.stop())
  postgres.run('createdb', [
    '--host',
    '127.0.0.1',
    '--port',
    new URL(postgres.urlOf('')).port,
    '--username',
    'parley',
    'parley',
  ])
  await step('The script makes the secrets, and keeps them', () => makeSecrets(postgres.urlOf('postgres'), redisPort))
  await step('Redis starts with its secret, and its health check succeeds', async () => {
    const [program = '', ...args] = redis.command.map(onThisMachine)
    const server = spawn(program, [...args, '--port', String(redisPort), '--bind', '127.0.0.1'], { stdio: 'ignore' })
    cleanUps.push(() => server.kill('SIGKILL'))
    const command = onThisMachine(redis.healthcheck.test[1].replaceAll('$$', '$')).replace(
      'redis-cli',
      `$& -p ${redisPort}`,
    )
    await until(() => promisify(execFile)('sh', ['-c', command]))
  })

  const port = await freePort()
  const settings = {
    ...node1.environment,
    PORT: String(port),
    BIND: '127.0.0.1',
    BACKUP_PASSPHRASE_FILE: '/run/secrets/backup_passphrase',
    PUBLIC_URL: 'https://parley.example',
    MASTER_HOSTNAME: 'master.parley.example',
    HOST_HOSTNAME: 'host.parley.example',
    PHONE_HOSTNAME: 'phone.parley.example',
    ZOOM_CLIENT_ID: 'id',
  }
  const root = buildah('mount', buildah('from', '--pull-never', 'parley'))
  for (const path of [data, backups]) {
    mkdirSync(path)
    execFileSync('chown', [config.User, path])
  }
  const mounted = readdirSync(secrets).map((name) => [join(secrets, name), join('/run/secrets', name)] as const)
  mkdirSync(join(root, 'run/secrets'))
  for (const [, path] of mounted) writeFileSync(join(root, path), '')
  const binds = [[data, '/data'], [backups, '/backups'], ...mounted].map(
    ([from, to]) => `mount --bind ${from} ${root}${to}`,
  )
  /** Reads only, as with `read_only`, and keeps its mounts to itself. */
  const mounts = [
    `mount --bind ${root} ${root}`,
    ...binds,
    `mount --bind /proc ${root}/proc`,
    `mount --bind /dev ${root}/dev`,
  ]
  const enter = [
    ...mounts,
    `mount -o remount,bind,ro ${root}`,
    `exec chroot --userspec=${config.User} ${root} "$@"`,
  ].join(' && ')
  const variables = [...config.Env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)]
  const containerArgs = (command: string[]) => [
    ...['--mount', 'sh', '-c', enter, 'sh'],
    ...['env', '--ignore-environment', `--chdir=${config.WorkingDir}`, ...variables],
    ...command,
  ]
  const inContainer = (...command: string[]) => promisify(execFile)('unshare', containerArgs(command))
  const isHealthy = () => inContainer(...probe)

  const server = spawn('unshare', containerArgs(config.Cmd), { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(server, 'exit')
  cleanUps.push(() => server.kill('SIGKILL'))
  await step(
    'The server starts as the user of the image, on a root that it cannot write to, and its health check succeeds',
    () => until(isHealthy, () => (server.exitCode === null ? null : `The server ended.`)),
  )
  await step('The first master waits in a file', () =>
    until(async () => {
      const { stdout } = await inContainer('cat', '/data/first-master')
      if (!/^master@parley\.example\n\S{12,}\n$/.test(stdout)) throw new Error('It is not an email and a password.')
    }),
  )
  await step('Commands run in the container', async () => {
    const { stdout } = await inContainer('node', 'server/commands/master.ts', 'list')
    if (!stdout.includes('master@parley.example')) throw new Error(stdout)
  })
  await step('The first backup is in its volume', () =>
    until(async () => {
      if (!readdirSync(backups).some((name) => /^parley-.*\.tar\.age$/.test(name))) throw new Error('There is none.')
    }),
  )
  await step('The health check fails without the database', async () => {
    postgres.pause()
    try {
      await until(() =>
        isHealthy().then(
          () => Promise.reject(new Error('It still succeeds.')),
          () => {},
        ),
      )
    } finally {
      postgres.resume()
    }
    await until(isHealthy)
  })
  await step('SIGTERM stops it', async () => {
    server.kill('SIGTERM')
    await ended
    if (!output.includes('Parley is ready')) throw new Error('It had not been ready.')
  })
}

/** Gives the names in compose.yaml a place on this machine. */
function onThisMachine(text: string): string {
  return text.replaceAll('/run/secrets', secrets)
}

async function makeBase(): Promise<void> {
  const archive = join(folder, 'root.tar')
  const packages = 'ca-certificates,libstdc++6,libatomic1'
  const { version } = readOs()
  execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${packages}`, version, archive], {
    stdio: 'inherit',
  })
  const base = buildah('from', 'scratch')
  buildah('add', '--quiet', base, archive, '/')
  rmSync(archive)
  buildah('copy', '--quiet', base, realpathSync(process.execPath), '/usr/local/bin/node')
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
  buildah('copy', '--quiet', base, npm, '/usr/local/lib/node_modules/npm')
  buildah('run', base, '--', 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm')
  const authorities = process.env.NODE_EXTRA_CA_CERTS // of a machine whose network has its own
  if (authorities && existsSync(authorities)) {
    buildah('copy', '--quiet', base, authorities, '/etc/ssl/own.pem')
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/own.pem', base)
  }
  buildah('commit', '--quiet', '--rm', base, BASE)
}

function readOs() {
  const version = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  return { version: version ?? 'bookworm' }
}

async function build(): Promise<void> {
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
  mkdirSync(cache, { recursive: true })
  const files = ['--file', 'deploy/Dockerfile', '--ignorefile', 'deploy/Dockerfile.dockerignore']
  const flags = [
    '--pull-never',
    '--format',
    'docker',
    '--volume',
    `${cache}:/root/.npm`,
    '--build-arg',
    'COMMIT=abc1234',
  ]
  buildah('bud', '--quiet', ...files, ...flags, '--tag', 'parley', '.')
}

async function makeSecrets(database: string, redisPort: number): Promise<void> {
  const script = join(folder, 'make-secrets.sh')
  cpSync('deploy/make-secrets.sh', script)
  const run = (input: string) => execFileSync('sh', [script], { input, stdio: ['pipe', 'ignore', 'ignore'] })
  run('client secret\nwebhook secret\n')
  const before = readAll()
  run('')
  if (readAll() !== before) throw new Error('It made other secrets when it was run again.')
  const address = new URL(database).host
  for (const [name, from, to] of [
    ['database_url', 'postgres:5432', address],
    ['redis_url', 'redis:6379', `127.0.0.1:${redisPort}`],
  ] as const) {
    const path = join(secrets, name)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(`@${from}`)) throw new Error(`${name} does not lead to ${from}.`)
    rmSync(path)
    writeFileSync(path, text.replace(from, to), { mode: 0o444 })
  }
}

function readAll(): string {
  return JSON.stringify(readdirSync(secrets).map((name) => [name, readFileSync(join(secrets, name), 'utf8')]))
}

async function until(attempt: () => Promise<unknown>, findFault: () => string | null = () => null): Promise<void> {
  for (const since = performance.now(); ; ) {
    try {
      await attempt()
      return
    } catch (error) {
      const fault = findFault() ?? (performance.now() - since > LONGEST_WAIT_MS ? String(error) : null)
      if (fault) throw new Error(fault, { cause: error })
      await delay(200) // neither reports a change
    }
  }
}

async function step(name: string, work: () => Promise<void>): Promise<void> {
  const since = performance.now()
  try {
    await work()
  } catch (error) {
    throw new Error(`Failed: ${name}. ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
  passed++
  process.stdout.write(`${name} (${((performance.now() - since) / 1000).toFixed(1)} s).\n`)
}
