import { useCallback, useEffect, useRef, useState } from 'react'
import { normaliseForComparison } from '../../../../shared/normalise.ts'
import { ApiError, messageOf } from '../../../lib/api-client.ts'
import { site } from '../../../lib/site.ts'
import { fetchOAuthResult, fetchOAuthUrl } from '../queries.ts'
import { openOAuthChannel, openZoomPopup, safeAddress, watchZoomPopup } from './zoom-popup.ts'

export type ZoomConnection =
  | { state: 'not-connected'; problem?: string }
  | { state: 'connecting' }
  | { state: 'connected'; email: string; resultId?: string; message?: string }

export type ZoomConnector = {
  connection: ZoomConnection
  connect: (email: string) => void
  /** Continues with a result from the page's own address. */
  resume: (resultId: string, email: string, message?: string) => void
  reset: (problem?: string) => void
}

type ZoomConnectionOptions = {
  timeoutMs: number
  /** The host that gets the account; missing while the host is being created. */
  hostId?: string
  /** The host's present Zoom account. */
  email?: string | null
}

/** Connects one form to Zoom: with at most one popup, and "connected" only after the server's confirmation. */
export function useZoomConnection({ timeoutMs, hostId, email: present }: ZoomConnectionOptions): ZoomConnector {
  const [connection, setConnection] = useState<ZoomConnection>(
    present ? { state: 'connected', email: present } : { state: 'not-connected' },
  )
  const stopAttempt = useRef<() => void>(() => {})

  const reset = useCallback((problem?: string) => {
    stopAttempt.current()
    setConnection({ state: 'not-connected', problem })
  }, [])

  useEffect(() => () => stopAttempt.current(), [])

  /** Confirms a result at the server; returns true if it belongs to this form. */
  const confirmResult = useCallback(async (resultId: string, email: string, how: Confirmation = {}) => {
    const { signal, hostId, message } = how
    try {
      const { data } = await fetchOAuthResult(resultId, signal)
      if (normaliseForComparison(data.user_email) !== normaliseForComparison(email) || data.host_id !== hostId)
        return false
      const words = message ?? (hostId ? CONNECTED_HOST : CONNECTED_NEW)
      setConnection({ state: 'connected', resultId, email: data.user_email, message: words })
      return true
    } catch (error) {
      if (signal?.aborted) return false
      // Every tab receives a broadcast: a result of another master belongs to another form.
      if (error instanceof ApiError && error.status === 404) return false
      setConnection({ state: 'not-connected', problem: `OAuth failed: ${messageOf(error, 'Unknown error')}` })
      return true
    }
  }, [])

  function connect(email: string) {
    stopAttempt.current()
    const popup = openZoomPopup(window)
    if (!popup) {
      reset('The browser blocked the Zoom window. Allow pop-up windows for this site, then try again.')
      return
    }
    setConnection({ state: 'connecting' })
    let resultId: string | undefined
    const given = new AbortController()
    const channel = openOAuthChannel()
    let stopWatching = () => {}
    const stop = () => {
      given.abort()
      stopWatching()
      channel?.close()
    }
    stopAttempt.current = () => {
      stop()
      popup.close()
    }
    const giveUp = (problem: string) => {
      stop()
      setConnection({ state: 'not-connected', problem })
    }

    stopWatching = watchZoomPopup({
      popup,
      page: window,
      channel,
      origins: [window.location.origin, site.public_url, site.host_url, site.master_url, site.zoom_origin],
      timeoutMs: site.zoom_connect_seconds ? site.zoom_connect_seconds * 1000 : timeoutMs,
      onResult: async (id) => {
        if (await confirmResult(id, email, { signal: given.signal, hostId })) stop()
      },
      onError: giveUp,
      onClosed: async () => {
        // The popup may have succeeded without being able to report it, so ask the server.
        if (resultId && (await confirmResult(resultId, email, { signal: given.signal, hostId }))) return stop()
        if (given.signal.aborted) return
        setConnection({ state: 'not-connected', problem: 'The Zoom window was closed before Zoom was connected.' })
      },
      onTimeout: () => giveUp('OAuth timeout - please try again'),
    })

    fetchOAuthUrl(email, hostId, given.signal)
      .then(({ auth_url, oauth_result_id }) => {
        resultId = oauth_result_id
        const address = safeAddress(auth_url)
        if (!address) throw new Error('The server gave no usable address')
        popup.location.replace(address)
      })
      .catch((error: unknown) => {
        if (given.signal.aborted) return
        popup.close()
        giveUp(`Zoom OAuth Error: ${messageOf(error, 'Failed to start Zoom integration')}`)
      })
  }

  const resume = useCallback(
    async (resultId: string, email: string, message?: string) => {
      const taken = await confirmResult(resultId, email, { message })
      if (!taken) reset('OAuth integration failed.')
    },
    [confirmResult, reset],
  )

  return { connection, connect, resume, reset }
}

type Confirmation = { signal?: AbortSignal; hostId?: string; message?: string }

const CONNECTED_HOST = 'Zoom connected! You can now continue.'
const CONNECTED_NEW = 'Zoom connected! You can now create the host account.'
