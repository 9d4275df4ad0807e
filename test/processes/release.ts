import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The commit of the previous release: CONTRIBUTING.md describes when to change it. Until there is one, the commit that
 * began the migrations anew.
 */
const FORMER_RELEASE = '77b2589e95386068a75ea0f6d453c7a42c3ef09c'
/** The parts of a server that is configured by its environment. */
const PARTS = ['package.json', 'migrations', 'server', 'shared']

/** A hashed file of its console, which is not built. */
export const HASHED_FILE = 'screen-B4k3.js'

export interface Release {
  /** The entry file of its server. */
  program: URL
  remove(): Promise<void>
}

/** Unpacks the previous release; null without its history, as in a shallow clone. */
export async function unpackFormerRelease(): Promise<Release | null> {
  const folder = await emptyFolder()
  const archive = join(folder, 'release.tar')
  try {
    execFileSync('git', ['archive', `--output=${archive}`, FORMER_RELEASE, ...PARTS], { stdio: 'ignore' })
  } catch {
    await rm(folder, { recursive: true })
    return null
  }
  execFileSync('tar', ['-xf', archive, '-C', folder])
  return releaseIn(folder)
}

/** Reads the files of a folder of the previous release, by path; null without its history. */
export function readFormerRelease(folder: string): Map<string, string> | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const paths = git('ls-tree', '-r', '--name-only', FORMER_RELEASE, `${folder}/`).trim().split('\n')
    return new Map(paths.map((path) => [path, git('show', `${FORMER_RELEASE}:${path}`)]))
  } catch {
    return null
  }
}

/** Copies the working tree, with these migrations besides its own. */
export async function copyRelease(migrations: Record<string, string> = {}): Promise<Release> {
  const folder = await emptyFolder()
  for (const part of PARTS) await cp(part, join(folder, part), { recursive: true })
  for (const [name, text] of Object.entries(migrations)) await writeFile(join(folder, 'migrations', name), text)
  return releaseIn(folder)
}

async function emptyFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'parley-release-'))
}

async function releaseIn(folder: string): Promise<Release> {
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'web/dist/assets'), { recursive: true })
  await writeFile(join(folder, 'web/dist/assets', HASHED_FILE), `"of this release"`)
  return {
    program: pathToFileURL(join(folder, 'server/main.ts')),
    remove: () => rm(folder, { recursive: true }),
  }
}
