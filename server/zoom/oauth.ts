import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Deadline } from './deadline.ts'
import { ZoomError } from './errors.ts'
import { readJson } from './response.ts'
import { ZoomAppToken, ZoomTokens } from './schemas.ts'
import type { ZoomErrorLog } from './zoom-error-log.ts'

export interface TokenPair {
  access_token: string
  refresh_token: string
  access_expires_at: Date
  scopes: string
}

export interface ZoomOAuth {
  authorizeUrl(state: string, challenge: string): string
  exchange(code: string, verifier: string, deadline: Deadline): Promise<TokenPair>
  refresh(refreshToken: string, deadline: Deadline): Promise<TokenPair>
  revoke(accessToken: string, deadline: Deadline): Promise<void>
  /** Fetches a token of the app itself, which needs no user's consent. */
  appToken(deadline: Deadline): Promise<string>
}

const Failure = z.object({ error: z.string().default(''), reason: z.string().default('') })

const REVOKE = '/oauth/revoke'

interface Options {
  config: Config
  log: FastifyBaseLogger
  now: Clock
  /** Both are absent where the requests are not counted. */
  metrics?: Pick<Metrics, 'countZoomRequest'>
  errors?: Pick<ZoomErrorLog, 'note'>
}

/** The calls of this client throw ZoomError. */
export function createOAuth({ config, log, now, metrics, errors }: Options): ZoomOAuth {
  const redirect_uri = `${config.PUBLIC_URL}/api/oauth/callback`

  const client = `${config.ZOOM_CLIENT_ID}:${config.ZOOM_CLIENT_SECRET}`
  const sdkApp = config.ZOOM_SDK_KEY ? `${config.ZOOM_SDK_KEY}:${config.ZOOM_SDK_SECRET}` : client

  async function post(
    path: string,
    form: Record<string, string>,
    { signal }: Deadline,
    app = client,
  ): Promise<unknown> {
    const operation = `oauth_${form.grant_type ?? 'revoke'}`
    const { response, text } = await fetch(`${config.ZOOM_OAUTH_URL}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', authorization: `Basic ${Buffer.from(app).toString('base64')}` },
      body: new URLSearchParams(form), // Zoom refuses parameters in the URL
      redirect: 'manual',
      signal,
    })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch((cause: unknown) => {
        metrics?.countZoomRequest(operation, null)
        errors?.note('unavailable')
        throw new ZoomError('unavailable', 'Zoom could not be reached', { cause })
      })

    metrics?.countZoomRequest(operation, response.status)
    if (response.ok) return readJson(text)
    const failure = Failure.safeParse(readJson(text))
    const error = failure.success ? failure.data.error : ''
    const trackingId = response.headers.get('x-zm-trackingid')
    const isDead = path === REVOKE && response.status === 400 // the token is already invalid, as intended
    log[isDead ? 'info' : 'warn']({ zoom: { path, status: response.status, error, trackingId } }, 'zoom.oauth_refused')
    if (isDead) return null
    const fault = error === 'invalid_grant' ? 'grant' : 'unavailable'
    errors?.note(fault)
    throw new ZoomError(fault, `Zoom's OAuth refused: ${error}`, {
      status: response.status,
      trackingId,
    })
  }

  async function tokens(form: Record<string, string>, deadline: Deadline): Promise<TokenPair> {
    const requestedAt = now()
    const parsed = ZoomTokens.safeParse(await post('/oauth/token', form, deadline))
    if (!parsed.success) throw new ZoomError('unavailable', "Zoom's tokens could not be read")
    const { access_token, refresh_token, expires_in, scope } = parsed.data
    return { access_token, refresh_token, access_expires_at: new Date(requestedAt + expires_in * 1000), scopes: scope }
  }

  return {
    authorizeUrl(state, challenge) {
      const url = new URL(`${config.ZOOM_OAUTH_URL}/oauth/authorize`)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: config.ZOOM_CLIENT_ID ?? '',
        redirect_uri,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).toString()
      return url.href
    },

    exchange: (code, code_verifier, deadline) =>
      tokens({ grant_type: 'authorization_code', code, redirect_uri, code_verifier }, deadline),

    async refresh(refresh_token, deadline) {
      const form = { grant_type: 'refresh_token', refresh_token }
      try {
        return await tokens(form, deadline)
      } catch (error) {
        if (!(error instanceof ZoomError) || error.fault !== 'unavailable' || deadline.remaining() < 500) throw error
        return tokens(form, deadline) // Zoom accepts the same token again if its answer was lost
      }
    },

    async revoke(token, deadline) {
      await post(REVOKE, { token }, deadline)
    },

    async appToken(deadline) {
      const answer = await post('/oauth/token', { grant_type: 'client_credentials' }, deadline, sdkApp)
      const parsed = ZoomAppToken.safeParse(answer)
      if (!parsed.success) throw new ZoomError('unavailable', "The app's own token could not be read")
      return parsed.data.access_token
    },
  }
}
