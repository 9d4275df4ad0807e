import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Debian keeps the server's programs outside PATH, in a folder for each version. */
export function postgresProgram(name: string): string {
  const versions = '/usr/lib/postgresql'
  const inVersion = (version: string) => join(versions, version, 'bin', name)
  const found = existsSync(versions) ? readdirSync(versions).filter((version) => existsSync(inVersion(version))) : []
  const newest = found.sort((a, b) => Number(b) - Number(a))[0]
  return newest ? inVersion(newest) : name
}

/** The user that PostgreSQL runs as if this process is root, which it refuses; undefined for the current user. */
export function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
