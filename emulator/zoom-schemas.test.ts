import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ANA, BEA, catchWebhooks, startApp } from '../test/zoom/connected-app.ts'
import schemas from './zoom-schemas.json' with { type: 'json' }

// All responses and events of the emulator are validated against Zoom's published schemas.

const JsonSchema = z.record(z.string(), z.unknown())
const Operation = z.record(
  z.string(),
  z.object({ schema: JsonSchema.optional(), errors: z.array(z.number()).default([]) }),
)
const published = z
  .object({
    paths: z.record(z.string(), z.record(z.string(), Operation)),
    webhooks: z.record(z.string(), JsonSchema),
  })
  .parse(schemas)

/** The refusals common to all calls: token, scope, plan, format, rate. */
const ANYWHERE = ['401 124', '400 4700', '400 4711', '400 200', '400 300', '429 429']
/** The documents do not mention a token for a meeting that does not exist. */
const SILENT: Record<string, string[]> = { 'GET /users/{userId}/token': ['404 3001'] }
const Refusal = z.object({ code: z.number(), message: z.string().min(1) })

describe('answers match Zoom’s documented schemas', () => {
  let zoom: Awaited<ReturnType<typeof startApp>>
  let target: Awaited<ReturnType<typeof catchWebhooks>>
  const seen = new Set<string>()
  let ask: (method: string, path: string, body?: object) => Promise<{ id?: unknown }>

  beforeAll(async () => {
    zoom = await startApp({ webhookSecret: 'a-secret-token' })
    target = await catchWebhooks()
    await zoom.control('/webhooks/endpoint', { url: target.url })
    ask = await askAs(ANA)
  })
  afterAll(async () => {
    await zoom.close()
    await target.close()
  })

  /** Returns a function that calls with this user's token and validates the response. */
  async function askAs(email: string): Promise<typeof ask> {
    const { call } = await zoom.connect(email)
    return async (method, path, body) => {
      const answer = await call(method, path, body)
      check(method, path, answer)
      return answer.body
    }
  }

  function check(method: string, path: string, { status, body }: { status: number; body: unknown }) {
    const [template, operation] = described(method, path)
    const where = `${method} ${template}: ${status} ${JSON.stringify(body)}`
    if (status < 300) {
      const response = operation[status]
      expect(response, where).toBeDefined()
      const schema = response?.schema
      if (schema) expect(faultsOf(schema, body), where).toEqual([])
      else expect(body, where).toBe('')
      seen.add(`${method} ${template}`)
    } else {
      const { code } = Refusal.parse(body)
      const known = operation[status]?.errors.map((one) => `${status} ${one}`) ?? []
      expect([...ANYWHERE, ...(SILENT[`${method} ${template}`] ?? []), ...known], where).toContain(`${status} ${code}`)
    }
  }

  function described(method: string, path: string): [string, z.infer<typeof Operation>] {
    const [bare = ''] = path.split('?')
    const fits = (template: string) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(bare)
    const [exact] = Object.entries(published.paths)
      .filter(([template, methods]) => fits(template) && methods[method.toLowerCase()])
      .toSorted(([one], [other]) => one.split('{').length - other.split('{').length)
    const operation = exact?.[1][method.toLowerCase()]
    if (!exact || !operation) throw new Error(`Zoom's documents know no ${method} ${path}`)
    return [exact[0], operation]
  }

  /** Values unknown to Zoom, such as a guest's e-mail or a future end, are empty strings regardless of format. */
  function faultsOf(schema: Record<string, unknown>, value: unknown): string[] {
    const read = z.fromJSONSchema(schema).safeParse(value, { reportInput: true })
    const issues = read.success
      ? []
      : read.error.issues.filter(({ code, input }) => code !== 'invalid_format' || input !== '')
    return issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  }

  const aRecording = async (more: object = {}) => {
    const body = { email: ANA, start_time: new Date().toISOString(), duration_minutes: 4, ...more }
    return (await zoom.control('/recordings', body)).body.recording
  }
  const inPath = (uuid: string) => encodeURIComponent(encodeURIComponent(uuid))

  test('users', async () => {
    await ask('GET', '/users/me')
    await ask('GET', '/users/me/token?type=zak')
    await ask('GET', '/users/someone')
    await ask('GET', '/users/me/token')
    await zoom.control('/accounts', { email: ANA, pmi: null })
    await ask('GET', '/users/me')
    await zoom.control('/accounts', { email: ANA, pmi: 3_542_471_135 })
  })

  test('meetings, waiting and live', async () => {
    const settings = { auto_recording: 'cloud', audio: 'voip', waiting_room: false }
    const { id } = await ask('POST', '/users/me/meetings', { topic: 'A room', type: 3, settings })
    await ask('POST', '/users/me/meetings', { type: 2, start_time: '2026-12-01T10:00:00Z', duration: 30 })
    await ask('POST', '/users/me/meetings', { type: 77 })
    await ask('GET', `/meetings/${id}`)
    await ask('PATCH', `/meetings/${id}`, { topic: 'Another name' })
    await ask('PATCH', `/meetings/${id}`, { settings: { audio: 'smoke' } })
    await ask('GET', '/users/me/token?type=onbehalf&meeting_id=99999999999')
    const steer = (method: string) => ask('PATCH', `/live_meetings/${id}/events`, { method })
    await steer('recording.stop')
    await zoom.control(`/meetings/${id}/start`, {})
    for (const move of ['join', 'leave']) await zoom.control(`/meetings/${id}/participants/${move}`, { host: true })
    await ask('GET', `/meetings/${id}`)
    await zoom.control(`/meetings/${id}/participants/join`, { user_name: 'Kim', customer_key: 'k'.repeat(32) })
    await ask('GET', `/users/me/token?type=onbehalf&meeting_id=${id}`)
    for (const verb of ['pause', 'resume', 'stop', 'start', 'dance']) await steer(`recording.${verb}`)
    await zoom.control(`/meetings/${id}/participants/leave`, { customer_key: 'k'.repeat(32) })
    for (const action of ['dance', 'end', 'end']) await ask('PUT', `/meetings/${id}/status`, { action })
    await zoom.control('/recordings/finish', {})
    await ask('DELETE', `/meetings/${id}`)
    for (const method of ['GET', 'PATCH', 'DELETE'])
      await ask(method, `/meetings/${id}`, method === 'PATCH' ? {} : undefined)
    await ask('DELETE', '/meetings/3542471135')
    await zoom.control('/options', { daily_limit: 1 })
    await ask('POST', '/users/me/meetings', { type: 3 })
    await zoom.control('/options', { daily_limit: 100 })
  })

  test('recordings, listed, in the trash and deleted', async () => {
    const { uuid } = await aRecording({ uuid: '/aB//cdefghijk+mnopqrs==', segments: 2, video: true })
    await ask('GET', '/users/me/recordings?page_size=1')
    await ask('GET', '/users/me/recordings?from=2020-13-77')
    await ask('GET', '/users/me/recordings?next_page_token=stale')
    const path = `/meetings/${inPath(uuid)}/recordings`
    await ask('GET', `${path}?include_fields=download_access_token`)
    for (const _again of [1, 2]) await ask('DELETE', `${path}?action=trash`)
    await ask('GET', '/users/me/recordings?trash=true')
    await ask('PUT', `${path}/status`, { action: 'dance' })
    for (const _again of [1, 2]) await ask('PUT', `${path}/status`, { action: 'recover' })
    await zoom.control('/accounts', { email: ANA, settings: { storage_full: true } })
    await ask('DELETE', `${path}?action=trash`)
    await ask('PUT', `${path}/status`, { action: 'recover' })
    await ask('DELETE', `${path}?action=delete`)
    await ask('GET', path)
  })

  test('errors for a Basic account, an expired token and a missing scope', async () => {
    const asBea = await askAs(BEA)
    await asBea('GET', '/users/me/recordings')
    await zoom.control('/tokens/expire', { email: BEA })
    for (const path of ['/users/me', '/users/me/recordings', '/meetings/12345678901']) await asBea('GET', path)
    await zoom.control('/options', { scopes: ['user:read:user'] })
    const narrow = await askAs(BEA)
    for (const path of ['/users/me', '/users/me/recordings', '/meetings/12345678901']) await narrow('GET', path)
  })

  test('webhooks', async () => {
    await zoom.control('/deauthorize', { email: ANA })
    await zoom.control('/webhooks/settle', {})
    for (const { body } of target.received) {
      const schema = published.webhooks[body.event]
      if (schema) expect(faultsOf(schema, body), JSON.stringify(body)).toEqual([])
      seen.add(body.event)
    }
  })

  test('every documented schema is used', () => {
    const operations = Object.entries(published.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect([...operations, ...Object.keys(published.webhooks)].filter((one) => !seen.has(one))).toEqual([])
  })
})
