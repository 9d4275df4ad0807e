import { createHash } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { deauthorize } from '../life/deauthorize.ts'
import { consentPage, refusalPage } from '../pages/consent-page.ts'
import { newAppToken } from '../state/app-owner.ts'
import { randomId } from '../state/identifiers.ts'
import { keepRecent } from '../state/keep-recent.ts'
import type { Consent } from '../state/memory.ts'
import { addAccount } from '../state/seed.ts'
import { MINUTE_MS } from '../state/times.ts'
import { forgetTokens, issueTokens, spendRefreshToken } from '../state/tokens.ts'
import type { Zoom } from '../state/zoom.ts'

const CODE_LIFE = 5 * MINUTE_MS
const CONSENT_LIFE = 30 * MINUTE_MS

/** OAuth errors have a different format from the REST API's. */
class OAuthError extends Error {
  readonly error: string

  constructor(error: string, reason: string) {
    super(reason)
    this.error = error
  }
}

const Form = z.record(z.string(), z.string())

const Authorize = z.object({
  client_id: z.string().optional(),
  redirect_uri: z.string().optional(),
  response_type: z.string().optional(),
  state: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.enum(['plain', 'S256']).default('plain'),
})

export function oauthRoutes(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
    )
    app.setErrorHandler(sendOAuthError)

    app.get('/oauth/authorize', async (request, reply) => {
      const requested = Authorize.safeParse(request.query)
      if (!requested.success) return refusalPage(reply, 'The request is not understood.')
      const { client_id, redirect_uri, response_type, ...rest } = requested.data
      if (client_id !== zoom.settings.clientId) return refusalPage(reply, 'Invalid client_id: no such app (4,702).')
      if (!redirect_uri || !zoom.settings.redirectUris.includes(redirect_uri)) {
        return refusalPage(reply, `Invalid redirect: ${redirect_uri ?? 'none'} is not registered (4,709).`)
      }
      if (response_type !== 'code') return refusalPage(reply, 'Invalid response_type: it must be "code".')

      const id = randomId()
      keepRecent(zoom.memory.consents, id, { redirect_uri, ...rest, expires_at: zoom.now() + CONSENT_LIFE }, zoom.now())
      return consentPage(zoom, reply, { id })
    })

    app.post('/oauth/consent', async (request, reply) => {
      const form = Form.parse(request.body ?? {})
      const id = form.request ?? ''
      const consent = zoom.memory.consents.get(id)
      if (!consent || consent.expires_at <= zoom.now()) {
        return refusalPage(reply, 'This page is too old. Go back to the app and start again.')
      }
      if (form.action !== 'allow') {
        zoom.memory.consents.delete(id)
        return callBack(zoom, reply, consent, { error: 'access_denied' })
      }
      const email = chosenEmail(zoom, form)
      if (!email) return consentPage(zoom, reply.code(400), { id, email: form.email, error: 'Enter an email address.' })

      zoom.memory.consents.delete(id)
      const code = randomId(24)
      keepRecent(zoom.memory.codes, code, { ...consent, email, expires_at: zoom.now() + CODE_LIFE }, zoom.now())
      return callBack(zoom, reply, consent, { code })
    })

    app.post('/oauth/token', async (request) => {
      const form = clientForm(zoom, request)
      if (form.grant_type === 'authorization_code') return exchangeCode(zoom, form)
      if (form.grant_type === 'refresh_token') return refresh(zoom, form)
      if (form.grant_type === 'client_credentials') return newAppToken(zoom)
      if (!form.grant_type) throw new OAuthError('invalid_request', 'Missing grant type')
      throw new OAuthError('unsupported_grant_type', 'Unsupported grant type')
    })

    app.post('/oauth/revoke', async (request) => {
      const { token } = clientForm(zoom, request)
      const held = zoom.state.access_tokens.find((access) => access.token === token)
      const account = held && zoom.accountById(held.user_id)
      if (!account) throw new OAuthError('invalid_request', 'Invalid Token!')
      deauthorize(zoom, account)
      return { status: 'success' }
    })
  }
}

function exchangeCode(zoom: Zoom, form: Record<string, string>) {
  const held = zoom.memory.codes.get(form.code ?? '')
  zoom.memory.codes.delete(form.code ?? '') // even a failed attempt uses the code up
  if (!held || held.expires_at <= zoom.now()) {
    throw new OAuthError('invalid_grant', 'Invalid authorization code')
  }
  if (form.redirect_uri !== held.redirect_uri) throw new OAuthError('invalid_grant', 'Redirect URI mismatch')
  if (!provesChallenge(held, form.code_verifier)) throw new OAuthError('invalid_grant', 'Invalid code verifier')

  const account = zoom.accountByEmail(held.email) ?? addNamed(zoom, held.email)
  forgetTokens(zoom, account) // a new authorisation revokes the earlier pair
  return issueTokens(zoom, account, zoom.options.scopes)
}

function refresh(zoom: Zoom, form: Record<string, string>) {
  const held = spendRefreshToken(zoom, form.refresh_token ?? '')
  const account = held && zoom.accountById(held.user_id)
  if (!account) throw new OAuthError('invalid_grant', 'Invalid Token!')
  return issueTokens(zoom, account, held.scopes)
}

/** Credentials must be in the header and parameters in a form, never in the query. */
function clientForm(zoom: Zoom, request: FastifyRequest) {
  const { clientId, clientSecret, sdkKey, sdkSecret } = zoom.settings
  const form = Form.safeParse(request.body)
  const isSdkApp = sdkKey !== undefined && request.headers.authorization === basic(sdkKey, sdkSecret)
  const mayAsk = isSdkApp && form.data?.grant_type === 'client_credentials' // the SDK app needs no consent
  if (!mayAsk && request.headers.authorization !== basic(clientId, clientSecret)) {
    throw new OAuthError('invalid_client', 'Invalid client_id or client_secret')
  }
  if (request.url.includes('?')) throw new OAuthError('invalid_request', 'Parameters belong in the request body')
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  if (!isForm || !form.success) throw new OAuthError('invalid_request', 'Missing grant type')
  return form.data
}

const basic = (id: string, secret = '') => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

function provesChallenge({ code_challenge, code_challenge_method }: Consent, verifier: string | undefined) {
  if (code_challenge === undefined) return true
  if (verifier === undefined) return false
  if (code_challenge_method === 'plain') return verifier === code_challenge
  return createHash('sha256').update(verifier).digest('base64url') === code_challenge
}

const Email = z.email({ pattern: z.regexes.unicodeEmail }).max(254)

/** Any e-mail can be a Zoom account here. */
function chosenEmail(zoom: Zoom, form: Record<string, string>) {
  if (form.account !== 'other') return zoom.accountById(form.account ?? '')?.email
  return Email.safeParse(form.email?.trim()).data
}

/** A new account is licensed. Only an app's request creates one, never a mere visit to the page. */
const addNamed = (zoom: Zoom, email: string) =>
  addAccount(zoom.state, { email, display_name: nameFrom(email) }, zoom.now())

const nameFrom = (email: string) =>
  (email.split('@', 1)[0] ?? '')
    .split(/[._+-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

function callBack(zoom: Zoom, reply: FastifyReply, consent: Consent, answer: { code: string } | { error: string }) {
  const target = new URL(consent.redirect_uri)
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value)
  if (consent.state !== undefined && !zoom.options.drop_state) target.searchParams.set('state', consent.state)
  return reply.redirect(target.href, 303)
}

function sendOAuthError(error: FastifyError | OAuthError, _request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof OAuthError) return reply.code(400).send({ reason: error.message, error: error.error })
  const status = error.statusCode ?? 500
  if (status >= 500) console.error(error)
  return reply.code(status).send({ reason: 'Bad request', error: status < 500 ? 'invalid_request' : 'server_error' })
}
