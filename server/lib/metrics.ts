import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ErrorCode } from '../../shared/errors.ts'
import { AppError } from '../errors.ts'
import { PollTimer } from './poll-timer.ts'

/** Reaches from a fast answer to one that a console no longer waits for. */
const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10]

export type SignInRole = 'master' | 'host' | 'assistant' | 'phone' | 'unknown'
/** Codes of a password, link or second factor that is not right. */
const WRONG: readonly ErrorCode[] = ['wrong_credentials', 'second_factor_wrong', 'link_invalid', 'challenge_expired']

export type MailResult = 'sent' | 'failed' | 'dropped'
type SignInResult = 'ok' | 'second_step' | 'wrong' | 'throttled' | 'refused' | 'failed'

/**
 * Counts what happens at this server. Label values come from lists in the code: none names a person, a host or an
 * address.
 */
export class Metrics {
  readonly registry = new Registry()
  readonly #registers = [this.registry]

  readonly httpSeconds = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time to answer, by route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: this.#registers,
  })
  readonly #pollSeconds = new Histogram({
    name: 'parley_poll_seconds',
    help: 'Time to answer a poll of a console, measured for one in a hundred',
    buckets: [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.02, 0.1, 0.5, 2],
    registers: this.#registers,
  })
  readonly polls = new PollTimer((seconds) => this.#pollSeconds.observe(seconds))

  readonly commands = new Counter({
    name: 'parley_commands_total',
    help: 'Commands of hosts and their assistants, by action',
    labelNames: ['action'],
    registers: this.#registers,
  })
  readonly deliverySeconds = new Histogram({
    name: 'parley_command_delivery_seconds',
    help: "Time from a command to its phone's acknowledgement",
    buckets: SECONDS,
    registers: this.#registers,
  })
  readonly eventLagSeconds = new Histogram({
    name: 'parley_event_lag_seconds',
    help: 'Time from the commit of a change to its event in the streams of this server',
    buckets: SECONDS,
    registers: this.#registers,
  })

  readonly #signIns = new Counter({
    name: 'parley_sign_ins_total',
    help: 'Sign-ins by role and result; unknown is a second step that failed',
    labelNames: ['role', 'result'],
    registers: this.#registers,
  })

  readonly #zoomRequests = new Counter({
    name: 'parley_zoom_requests_total',
    help: 'Requests to Zoom by operation and status; none is the code of those without an answer',
    labelNames: ['operation', 'code'],
    registers: this.#registers,
  })
  readonly #webhooks = new Counter({
    name: 'parley_webhooks_total',
    help: 'Events from Zoom by kind and what became of them; other is a kind that has no effect here',
    labelNames: ['event', 'result'],
    registers: this.#registers,
  })

  readonly #mails = new Counter({
    name: 'parley_mails_total',
    help: 'Mails by kind and what became of them; a failed attempt is repeated, a dropped mail is not',
    labelNames: ['kind', 'result'],
    registers: this.#registers,
  })

  readonly #jobs = new Counter({
    name: 'parley_jobs_total',
    help: 'Runs of jobs in the background',
    labelNames: ['job', 'result'],
    registers: this.#registers,
  })
  readonly #jobSuccess = new Gauge({
    name: 'parley_job_last_success_timestamp_seconds',
    help: 'Time at which a job last ended well at this server',
    labelNames: ['job'],
    registers: this.#registers,
  })
  readonly #jobInterval = new Gauge({
    name: 'parley_job_interval_seconds',
    help: 'Time between two runs of a job',
    labelNames: ['job'],
    registers: this.#registers,
  })

  readonly databaseSeconds = new Histogram({
    name: 'parley_database_seconds',
    help: 'Time of a query',
    buckets: [0.0005, ...SECONDS],
    registers: this.#registers,
  })

  /** Counts a sign-in by how it ends. `roleOf` says who has signed in where the call alone does not. */
  async signIn<T>(
    role: SignInRole,
    work: () => Promise<T>,
    roleOf: (result: T) => SignInRole = () => role,
  ): Promise<T> {
    try {
      const result = await work()
      this.#signIns.inc({ role: roleOf(result), result: 'ok' satisfies SignInResult })
      return result
    } catch (error) {
      this.#signIns.inc({ role, result: resultOf(error) })
      throw error
    }
  }

  countMail(kind: string, result: MailResult): void {
    this.#mails.inc({ kind, result })
  }

  /** `code` is the status of Zoom's answer; null if there was none. */
  countZoomRequest(operation: string, code: number | null): void {
    this.#zoomRequests.inc({ operation, code: code ?? 'none' })
  }

  countWebhook(event: string, result: 'accepted' | 'repeated' | 'ignored' | 'refused' | 'handled' | 'failed'): void {
    this.#webhooks.inc({ event, result })
  }

  /** Shows a job that has not run yet, so that its first failure is seen as a rise. */
  expectJob(job: string, everyMs: number): void {
    this.#jobInterval.set({ job }, everyMs / 1000)
    this.#jobs.inc({ job, result: 'ok' }, 0)
    this.#jobs.inc({ job, result: 'failed' }, 0)
  }

  countJob(job: string, isOk: boolean): void {
    this.#jobs.inc({ job, result: isOk ? 'ok' : 'failed' })
    if (isOk) this.#jobSuccess.set({ job }, Date.now() / 1000)
  }
}

function resultOf(error: unknown): SignInResult {
  if (!(error instanceof AppError)) return 'failed'
  if (error.code === 'second_factor_needed') return 'second_step'
  if (WRONG.includes(error.code)) return 'wrong'
  if (error.code === 'too_many' || error.code === 'busy') return 'throttled'
  return error.status >= 500 ? 'failed' : 'refused'
}
