import type { Page } from '@playwright/test'
import type { AssistantRole } from '../../../shared/auth.ts'
import type { Host } from '../../../shared/hosts.ts'
import { http, MASTER, type ServerProcess, signInMaster } from '../../servers/server-process.ts'

export const PASSWORD = 'evening-circle-7'

/** A separate token, with the data that the console stores at sign-in. */
export interface ConsoleSession {
  token: string
  user: { id: string; username: string; full_name: string | null; role: 'host' | 'master' | AssistantRole }
}

export interface TestHost extends Host, ConsoleSession {
  password: string
}

let count = 0

/** Returns a name that is unique on the server, which other tests share. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${process.pid}-${++count}`
}

/** Shared per server, since a master's sign-ins are limited, and more than a few sessions end the oldest. */
const masterTokens = new WeakMap<ServerProcess, Promise<string>>()

export function masterToken(server: ServerProcess): Promise<string> {
  const token = masterTokens.get(server) ?? signInMaster(server)
  masterTokens.set(server, token)
  return token
}

/** Adds a host as the master, with a year of subscription and without Zoom, and signs it in to the console. */
export async function addHost(server: ServerProcess, fields: Record<string, unknown> = {}): Promise<TestHost> {
  const username = uniqueName('host')
  const token = await masterToken(server)
  const body = { username, email: `${username}@example.com`, password: PASSWORD, subscription_type: 12, ...fields }
  const made = await http(server, 'POST', '/admin/hosts/integrate', { token, body })
  if (made.status !== 200) throw new Error(`No host could be made: ${JSON.stringify(made.body)}`)
  return { ...made.body.data, ...(await signInHost(server, body)), password: body.password }
}

export async function signInHost(
  server: ServerProcess,
  { username, password }: { username: string; password: string },
): Promise<ConsoleSession> {
  const login = await http(server, 'POST', '/auth/host/login', { body: { username, password } })
  if (login.status !== 200) throw new Error(`The host was refused: ${JSON.stringify(login.body)}`)
  const { token, user } = login.body.data
  return { token, user: { ...user, role: 'host' } }
}

/** Adds an assistant to the host, and signs it in to the console. */
export async function addAssistantSession(
  server: ServerProcess,
  host: TestHost,
  role: AssistantRole,
): Promise<ConsoleSession> {
  const added = await http(server, 'POST', '/host/assistants', { token: host.token, body: { name: 'Deputy', role } })
  if (added.status !== 200) throw new Error(`No assistant could be added: ${JSON.stringify(added.body)}`)
  const { url, assistant } = added.body.data
  const token = new URL(url).hash.slice(1)
  const used = await http(server, 'POST', '/auth/links/use', { body: { token, password: PASSWORD } })
  if (used.status !== 200) throw new Error(`The link was refused: ${JSON.stringify(used.body)}`)
  const session = await signInHost(server, { username: assistant.login_name, password: PASSWORD })
  return { ...session, user: { ...session.user, role } }
}

export async function masterSession(server: ServerProcess): Promise<ConsoleSession> {
  const { token, user } = (await http(server, 'POST', '/auth/master-login', { body: MASTER })).body
  return { token, user: { ...user, role: 'master' } }
}

/** Stores the session where the tab keeps it after a login, without logging in. */
export async function storeSession(page: Page, siteUrl: string, { token, user }: ConsoleSession): Promise<void> {
  // Without an icon, Chromium would request /favicon.ico and log its absence.
  const body = '<link rel="icon" href="data:,">'
  await page.route(`${siteUrl}/robots.txt`, (route) => route.fulfill({ contentType: 'text/html', body }), { times: 1 })
  await page.goto(`${siteUrl}/robots.txt`)
  await page.evaluate(
    (kept) => sessionStorage.setItem('parley.session', kept),
    obfuscate(JSON.stringify({ token, user })),
  )
}

/** Encodes the text like web/lib/session. */
function obfuscate(text: string): string {
  return btoa(encodeURIComponent(text)).split('').reverse().join('')
}

/** Returns everything that the tab stores for the session, as text. */
export function storedSession(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)))
}

export async function logInHost(page: Page, { username, password }: { username: string; password: string }) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export async function logInMaster(page: Page, { email, password } = MASTER) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}
