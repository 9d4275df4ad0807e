import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache/zoom-sdk')

export const ZOOM_SDK_VERSION = process.env.ZOOM_SDK_VERSION || '6.2.0'

export const NOT_CACHED = "Zoom's package is not in the cache: npm run check-zoom-sdk"

/** Finds Zoom's package in this machine's cache. Its licence keeps it out of the repository and the dependencies. */
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

/** Checks that the stand-in accepts all that Zoom's types permit, and Zoom all that the frames do. Throws the compiler's errors. */
export function checkSdkTypes(folder: string) {
  const standIn = join(ROOT, 'emulator/media/client/zoom-mtg.ts')
  const ours = join(ROOT, 'web/zoom/zoom-mtg.ts')
  writeFileSync(join(folder, 'check.ts'), typeCheck(standIn, ours))
  const compilerOptions = { lib: ['esnext', 'dom', 'dom.iterable'], types: [], incremental: false }
  const files = ['check.ts']
  const config = { extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, files }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], ROOT)
}

const typeCheck = (standIn: string, ours: string) => `
import type { ZoomMtg } from './package/index.d.ts'
import type { ZoomMtgStandIn as StandIn } from '${standIn}'
import type { HostZoomMtg } from '${ours}'

type Zoom = typeof ZoomMtg
declare const standIn: StandIn
declare const zoom: Zoom
/** Zoom accepts every call that the frames make. */
export const callsOfFrames: HostZoomMtg = zoom
/** Zoom's type of makeHost wants a boolean as the user's number. */
export const acceptedCalls: Pick<Zoom, Exclude<Extract<keyof StandIn, keyof Zoom>, 'i18n' | 'makeHost'>> = standIn
export const acceptedLanguages: Pick<Zoom['i18n'], keyof StandIn['i18n']> = standIn.i18n
/** This call is in Zoom's script, but not in its types. */
export const hasOneUntypedCall: [Exclude<keyof StandIn, keyof Zoom>] extends ['checkSystemRequirements'] ? true : never = true
`

function run(command: string, args: string[], cwd: string) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error([error?.message, stdout, stderr].filter(Boolean).join('\n').trim())
}
