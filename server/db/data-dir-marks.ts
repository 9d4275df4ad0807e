import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config.ts'

/** A command has left the installation in a state in which nothing else may use it. The message is one line. */
export class NotUsableYet extends Error {}

/** The key that takes the place of the present one, while the change is not finished. */
export const newKeyIn = (dataDir: string) => join(dataDir, 'secret.key.new')

/** Says that the embedded database is in PostgreSQL now. */
export const movedMarkIn = (dataDir: string) => join(dataDir, 'moved.json')
export const MovedMark = z.object({ moved_at: z.iso.datetime() })

export const UNFINISHED_KEY = 'The change of SECRET_KEY is not finished; run npm run rotate-key -- --yes.'

/** Call with the lock of the folder, or of the database. Throws NotUsableYet. */
export function requireFinishedKey(dataDir: string): void {
  if (existsSync(newKeyIn(dataDir))) throw new NotUsableYet(UNFINISHED_KEY)
}

/** Call before the embedded database is opened, or made. Throws NotUsableYet. */
export function requireNotMoved({ DATA_DIR, DATABASE_URL }: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>): void {
  if (DATABASE_URL || !existsSync(movedMarkIn(DATA_DIR))) return
  throw new NotUsableYet(
    `DATA_DIR was moved to PostgreSQL${timeOfMove(DATA_DIR)}; set DATABASE_URL, or delete DATA_DIR/moved.json to go back.`,
  )
}

function timeOfMove(dataDir: string): string {
  try {
    const { moved_at } = MovedMark.parse(JSON.parse(readFileSync(movedMarkIn(dataDir), 'utf8')))
    return ` on ${moved_at.slice(0, 16).replace('T', ' ')} UTC`
  } catch {
    return ''
  }
}
