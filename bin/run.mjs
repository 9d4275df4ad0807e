// Runs every npm command of this project: installs and builds what is missing or out of date, then starts the program.
// Needs nothing but the built-ins of Node.js 20.19 or later. The programs need Node.js 26: where this one is older, it
// installs the one that bin/runtime/package-lock.json pins, and runs them on that.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [major, minor] = process.versions.node.split('.').map(Number)
const needsRuntime = major < 26
const node = needsRuntime ? join(root, 'bin/runtime/node_modules/.bin/node') : process.execPath
const built = join(root, 'web/dist/.built')

/** The servers that a large installation uses. */
const largePrograms = [
  { package: 'postgresql', names: ['postgres'], folder: '/usr/lib/postgresql' },
  { package: 'redis-server', names: ['redis-server'] },
]
const benchPrograms = [...largePrograms, { package: 'wrk', names: ['wrk'] }]
/** Browsers, reverse proxies, and the programs that read what Parley writes or ships. */
const testPrograms = [
  // Opens pages far faster than the full Chromium, which works too.
  {
    package: 'chromium-headless-shell',
    names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  },
  { package: 'firefox-esr', names: ['firefox-esr'] },
  { package: 'webkit2gtk-driver', names: ['WebKitWebDriver'] },
  { package: 'xvfb', names: ['Xvfb'] }, // WebKitGTK's browser needs a display
  ...largePrograms,
  { package: 'nginx-light', names: ['nginx'], folder: '/usr/sbin/nginx' },
  { package: 'caddy', names: ['caddy'] },
  { package: 'age', names: ['age'] }, // opens backups
  { package: 'systemd', names: ['systemd-analyze'] },
  { package: 'prometheus', names: ['promtool'] }, // tries the alerts
]

const imagePrograms = [
  ...largePrograms,
  { package: 'mmdebstrap', names: ['mmdebstrap'] },
  { package: 'buildah', names: ['buildah'] },
]

/** The same settings as in `deploy/`: docs/decisions/0025-what-holds-the-memory.md explains them. */
const littleMemory = {
  flags: ['--min-semi-space-size=8'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' },
}

const programs = {
  demo: { file: 'demo/main.ts', console: true, systemOfNodes: largePrograms },
  start: { file: 'server/main.ts', console: true, ...littleMemory },
  dev: { file: 'demo/main.ts', console: true, reload: true, systemOfNodes: largePrograms },
  test: { file: 'bin/test.ts', console: true, system: testPrograms },
  'test:often': { file: 'bin/test-often.ts', system: testPrograms },
  'test:faults': { file: 'bin/test-faults.ts', system: testPrograms },
  'test:image': { file: 'bin/test-image.ts', system: imagePrograms },
  'test:commands': { file: 'bin/test-commands.ts', system: testPrograms },
  bench: { file: 'bin/bench.ts', console: true, system: benchPrograms },
  'check-zoom-sdk': { file: 'bin/check-zoom-sdk.ts', console: true, system: testPrograms },
  pictures: { file: 'bin/pictures.ts', console: true, system: testPrograms },
  'zoom-emulator': { file: 'emulator/main.ts' },
  phones: { file: 'simulator/main.ts' },
  master: { file: 'server/commands/master.ts' },
  person: { file: 'server/commands/person.ts' },
  backup: { file: 'server/commands/backup.ts' },
  restore: { file: 'server/commands/restore.ts' },
  'rotate-key': { file: 'server/commands/rotate-key.ts' },
  'move-to-postgres': { file: 'server/commands/move-to-postgres.ts' },
  doctor: { file: 'server/commands/doctor.ts' },
}

const [name = '', ...args] = process.argv.slice(2)
const isVersion = name === 'start' && args.includes('--version')
const program = isVersion ? { file: 'server/commands/version.ts' } : programs[name]
if (!program) fail(`Unknown command "${name}"; there are ${Object.keys(programs).join(', ')}.`)
checkNode()
process.chdir(root)
if (!isVersion || !existsSync(node)) await install()
if (!isVersion) process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node') // saves a fifth of the start
if (program.console) await buildConsole()
const hasNodes = args.some((arg) => arg.startsWith('--nodes'))
const system = (hasNodes && program.systemOfNodes) || program.system
if (system) await installSystemPrograms(system)
if (program.reload) runAndReload()
else run()

function checkNode() {
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Parley needs Node.js 20.19 or later to begin with; this is ${process.versions.node}.`)
  }
}

/** Installs what each lock file names if it has changed, both at the same time. */
async function install() {
  const outdated = (needsRuntime ? ['.', 'bin/runtime'] : ['.'])
    .map(installation)
    .filter(({ isUpToDate }) => !isUpToDate)
  if (outdated.length === 0) return
  await step('Installing packages', () => Promise.all(outdated.map(({ folder }) => npmCi(folder))))
  // npm succeeds even where it could not fetch an optional package.
  if (!existsSync(node)) {
    fail(
      `Node.js 26 for ${process.platform} ${process.arch} could not be fetched. Run this again, or install Node.js 26 or later.`,
    )
  }
  for (const { marker, wanted } of outdated) writeFileSync(marker, wanted)
}

function installation(folder) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const wanted = `${lock} ${process.platform} ${process.arch}\n`
  const marker = join(folder, 'node_modules/.parley-installed')
  return { folder, marker, wanted, isUpToDate: existsSync(marker) && readFileSync(marker, 'utf8') === wanted }
}

/** Ignores `engines`: on an older Node.js, npm would warn about every package, or refuse with `engine-strict`. */
async function npmCi(folder) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--no-engine-strict']
  const npmArgs = ['ci', '--prefix', folder, '--include=dev', '--include=optional', '--ignore-scripts', ...quiet]
  const cli = process.env.npm_execpath
  if (cli) await runQuietly(process.execPath, [cli, ...npmArgs])
  else await runQuietly('npm', npmArgs)
}

/** Builds the console if a source is newer than the build. */
async function buildConsole() {
  const sources = ['web', 'shared', 'docs', 'vite.config.ts', 'package-lock.json']
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map(newest))) return
  await step('Building the console', () =>
    runQuietly(node, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn']),
  )
  mkdirSync(dirname(built), { recursive: true })
  writeFileSync(built, '')
}

function newest(path) {
  const { mtimeMs } = statSync(path)
  if (!statSync(path).isDirectory()) return mtimeMs
  const inside = readdirSync(path).filter((entry) => entry !== 'dist')
  return Math.max(mtimeMs, ...inside.map((entry) => newest(join(path, entry))))
}

async function installSystemPrograms(wanted) {
  const isHere = ({ names, folder }) => names.some((name) => onPath(name) || inVersions(folder, name))
  const missing = wanted.filter((one) => !isHere(one))
  if (missing.length === 0) return

  const packages = missing.map((one) => one.package)
  const mayInstall = process.getuid?.() === 0 && onPath('apt-get')
  if (!mayInstall) fail(`Some programs are missing. Please install: ${packages.join(', ')}.`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await step(`Installing ${packages.join(', ')}`, async () => {
    await runQuietly('apt-get', ['update', '-q'], env)
    await runQuietly('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], env)
  })
}

/** Debian keeps the server's programs in a folder for each version; installations with only the client lack them. */
function inVersions(folder, file) {
  if (folder === undefined || !existsSync(folder)) return false
  return readdirSync(folder).some((version) => existsSync(join(folder, version, 'bin', file)))
}

function onPath(file) {
  return (process.env.PATH ?? '').split(':').some((folder) => folder && existsSync(join(folder, file)))
}

/** npm does not forward signals: when it is killed, the only sign is that this process gets another parent. */
function whenNpmEnds(stop) {
  const { ppid } = process
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== ppid && stop(), 500).unref()
}

function run() {
  const { flags = [], file, env } = program
  const child = spawn(node, [...flags, file, ...args], { stdio: 'inherit', env: { ...env, ...process.env } })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  let isEnding = false
  whenNpmEnds(() => {
    if (!isEnding) child.kill('SIGTERM') // only once: a second signal would force the exit
    isEnding = true
  })
  child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

/** Restarts the program when server code changes, and keeps the console built. */
function runAndReload() {
  const vite = spawn(node, ['node_modules/vite/bin/vite.js', 'build', '--watch', '--logLevel', 'warn'], {
    stdio: 'inherit',
  })
  let child = start()
  let timer
  for (const folder of ['server', 'shared', 'emulator', 'simulator', 'demo', 'migrations']) {
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(restart, 200)
    })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  let isEnding = false
  whenNpmEnds(() => {
    if (!isEnding) stop()
    isEnding = true
  })

  function start() {
    const started = spawn(node, [program.file, ...args], { stdio: 'inherit' })
    started.once('exit', (code) => code && console.error('Stopped; waiting for a change.'))
    return started
  }
  function restart() {
    const next = () => {
      child = start()
    }
    if (child.exitCode !== null || child.signalCode !== null) next()
    else child.once('exit', next).kill('SIGTERM')
  }
  function stop() {
    vite.kill()
    if (child.exitCode !== null || child.signalCode !== null) process.exit(0)
    child.removeAllListeners('exit').once('exit', () => process.exit(0))
    child.kill('SIGTERM')
  }
}

async function step(what, work) {
  const began = performance.now()
  process.stderr.write(`${what} ...`)
  await work()
  process.stderr.write(` done in ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
}

async function runQuietly(file, fileArgs, env = process.env) {
  const child = spawn(file, fileArgs, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const add = (text) => {
    output += text
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const code = await new Promise((resolve) => {
    child.once('close', resolve).once('error', ({ message }) => {
      add(message)
      resolve(null)
    })
  })
  if (code !== 0) fail(` failed: ${[file, ...fileArgs].join(' ')}\n${output}`)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
