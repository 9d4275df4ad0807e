import type { FastifyBaseLogger } from 'fastify'
import type { CheckStatus } from '../../../shared/system.ts'
import type { Config } from '../../config.ts'
import { type Db, isDatabaseGone } from '../../db/client.ts'
import type { DiskStats } from '../../lib/disk-space.ts'
import type { Secrets } from '../../lib/secrets.ts'

/** The longest that a check may take. */
export const CHECK_MS = 5_000

export interface Finding {
  status: CheckStatus
  message: string
  advice: string | null
}

export interface CheckDeps {
  config: Config
  /** Throws NotChecked if there is no database to use. */
  db: () => Db
  /** Throws where the key cannot be read. */
  secrets: () => Promise<Secrets>
  /** True if a server of this installation runs, in this process or another. */
  isServed: boolean
  log: FastifyBaseLogger
  measureDisk: (folder: string) => Promise<DiskStats>
}

/** Nothing in a finding is a secret or the name of a database's user. */
export type RunCheck = (deps: CheckDeps, signal: AbortSignal) => Promise<Finding>

/** Ends a check with a finding. */
export class NotChecked extends Error {
  readonly finding: Finding

  constructor(finding: Finding) {
    super(finding.message)
    this.finding = finding
  }
}

export const ok = (message: string): Finding => ({ status: 'ok', message, advice: null })
export const note = (message: string, advice: string | null = null): Finding => ({ status: 'note', message, advice })
export const warn = (message: string, advice: string): Finding => ({ status: 'warn', message, advice })
export const problem = (message: string, advice: string): Finding => ({ status: 'problem', message, advice })

export const NOT_ASKED = 'not asked: no server runs'

/** Describes an error by its code alone, since messages can name users of a database. */
export function faultFinding(error: unknown): Finding {
  if (error instanceof NotChecked) return error.finding
  const code = codeOf(error)
  const inBrackets = code ? ` (${code})` : ''
  if (error instanceof Error && isDatabaseGone(error))
    return problem(`No answer${inBrackets}.`, 'Check that it runs, and that its address in the settings is right.')
  return problem(`Could not be checked${inBrackets}.`, 'Run it again; the log of the server may say more.')
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause instanceof Error ? codeOf(error.cause) : ''
}

/** Reads such as `3 hosts`. */
export const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
