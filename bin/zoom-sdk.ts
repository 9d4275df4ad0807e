import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache/zoom-sdk')
const INIT_MS = 60_000

export const ZOOM_SDK_VERSION = process.env.ZOOM_SDK_VERSION || '6.2.0'

export const NOT_CACHED = "Zoom's package is not in the cache: npm run check-zoom-sdk"

/** Zoom's package as this machine has it, if it has. Its licence keeps it out of the repository and of the dependencies. */
export function cachedZoomSdk(version = ZOOM_SDK_VERSION): string | null {
  const folder = join(CACHE, version)
  return existsSync(join(folder, 'package/index.d.ts')) ? folder : null
}

export function fetchZoomSdk(version = ZOOM_SDK_VERSION): string {
  const folder = join(CACHE, version)
  mkdirSync(CACHE, { recursive: true })
  const fresh = mkdtempSync(join(CACHE, 'fetching-'))
  const npm = process.env.npm_execpath
  const pack = ['pack', `@zoom/meetingsdk@${version}`, '--pack-destination', fresh, '--silent']
  run(npm ? process.execPath : 'npm', npm ? [npm, ...pack] : pack, fresh)
  const [archive] = readdirSync(fresh)
  if (archive === undefined) throw new Error('npm packed nothing.')
  run('tar', ['-xzf', archive], fresh)
  rmSync(join(fresh, archive))
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return folder
}

/** Whatever Zoom's types let a page pass, the stand-in takes. Throws what the compiler says against it. */
export function checkTypes(folder: string) {
  const standIn = join(ROOT, 'emulator/media/client/zoom-mtg.ts')
  writeFileSync(join(folder, 'check.ts'), typeCheck(standIn))
  const compilerOptions = { lib: ['esnext', 'dom', 'dom.iterable'], types: [], incremental: false }
  const files = ['check.ts']
  const config = { extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, files }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], ROOT)
}

const typeCheck = (standIn: string) => `
import type { ZoomMtg } from './package/index.d.ts'
import type { StandIn } from '${standIn}'

type Zoom = typeof ZoomMtg
declare const standIn: StandIn
export const calls: Pick<Zoom, Exclude<Extract<keyof StandIn, keyof Zoom>, 'i18n'>> = standIn
export const languages: Pick<Zoom['i18n'], keyof StandIn['i18n']> = standIn.i18n
/** Zoom's script has it, its types do not. */
export const untyped: [Exclude<keyof StandIn, keyof Zoom>] extends ['checkSystemRequirements'] ? true : never = true
`

const NAMES = [
  ...['setZoomJSLib', 'preLoadWasm', 'prepareWebSDK', 'checkSystemRequirements', 'init', 'join', 'getCurrentUser'],
  ...['getAttendeeslist', 'mute', 'leaveMeeting', 'inMeetingServiceListener'],
]
const VENDORS = ['react', 'react-dom', 'redux', 'redux-thunk', 'lodash', 'react-redux']

/** What the document of the meeting's frame has to allow, and no more. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval' blob:",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self' blob: data:",
  "media-src 'self' blob: data:",
].join('; ')

const scripts = (version: string) => [
  ...VENDORS.map((name) => `/sdk/${version}/lib/vendor/${name}.min.js`),
  `/sdk/zoom-meeting-${version}.min.js`,
  '/start.js',
]

const page = (version: string) => `<!doctype html><meta charset="utf-8"><title>Meeting</title><body>
${scripts(version)
  .map((path) => `<script src="${path}"></script>`)
  .join('\n')}</body>`

/** Sets \`window.outcome\` once Zoom's \`init\` has answered. */
const start = (version: string) => `
const missing = ${JSON.stringify(NAMES)}.filter((name) => typeof ZoomMtg[name] !== 'function')
if (missing.length > 0) window.outcome = 'Not in this version: ' + missing.join(', ')
ZoomMtg.setZoomJSLib(location.origin + '/sdk/${version}/lib', '/av')
ZoomMtg.preLoadWasm()
ZoomMtg.prepareWebSDK()
ZoomMtg.i18n.load('en-US')
ZoomMtg.i18n.onLoad(() => ZoomMtg.init({
  leaveUrl: location.origin + '/left', disablePreview: true, leaveOnPageUnload: true, disableCORP: true,
  success: () => { window.outcome ??= 'success' },
  error: (error) => { window.outcome ??= 'init answered ' + JSON.stringify(error) },
}))
`

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  wasm: 'application/wasm',
  json: 'application/json',
  html: 'text/html',
  svg: 'image/svg+xml',
}

/** Starts Zoom's real SDK as the meeting's frame does, up to where it would join. Throws what went wrong. */
export async function startRealSdk(browser: Browser, folder: string, version = ZOOM_SDK_VERSION): Promise<void> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    void fileOf(folder, version, pathname).then((body) => {
      response.writeHead(body === null ? 404 : 200, {
        'content-type': TYPES[pathname.split('.').at(-1) ?? ''] ?? 'text/html',
        'content-security-policy': POLICY,
      })
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const tab = await browser.newPage()
  const violations: string[] = []
  tab.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text())
  })
  try {
    await tab.route(
      ({ hostname }) => hostname !== '127.0.0.1',
      (route) => route.abort(),
    )
    await tab.goto(`http://127.0.0.1:${port}/`)
    const outcome = await tab.waitForFunction(() => Reflect.get(window, 'outcome'), null, { timeout: INIT_MS })
    if ((await outcome.jsonValue()) !== 'success') throw new Error(String(await outcome.jsonValue()))
    if (violations.length > 0) throw new Error(`The meeting frame's policy is too tight: ${violations.join('\n')}`)
  } finally {
    await tab.close()
    server.closeAllConnections()
    server.close()
  }
}

async function fileOf(folder: string, version: string, path: string): Promise<Buffer | string | null> {
  if (path === '/') return page(version)
  if (path === '/start.js') return start(version)
  const inPackage = path.startsWith('/sdk/') ? path.slice('/sdk/'.length).replace(`${version}/`, '') : null
  if (inPackage === null || inPackage.includes('..')) return null
  return readFile(join(folder, 'package/dist', inPackage)).catch(() => null)
}

function run(command: string, args: string[], cwd: string) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error([error?.message, stdout, stderr].filter(Boolean).join('\n').trim())
}
