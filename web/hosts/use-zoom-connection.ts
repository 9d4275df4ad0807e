import { useCallback, useEffect, useRef, useState } from 'react'
import { comparable } from '../../shared/normalise.ts'
import { ApiError, messageOf } from '../api.ts'
import { site } from '../site.ts'
import { askOAuthResult, askOAuthUrl } from './queries.ts'
import { ADD_TIMEOUT_MS, openOAuthChannel, openZoomPopup, safeAddress, watchZoomPopup } from './zoom-popup.ts'

export type ZoomConnection =
  | { state: 'not-connected'; problem?: string }
  | { state: 'connecting' }
  | { state: 'connected'; resultId: string; email: string; message: string }

export type ZoomConnector = {
  connection: ZoomConnection
  connect: (email: string) => void
  /** Takes up a result that came back in the page's own address. */
  resume: (resultId: string, email: string) => void
  reset: (problem?: string) => void
}

/** One form's way to Zoom: at most one popup, and "connected" only after the server has said so. */
export function useZoomConnection(timeoutMs = ADD_TIMEOUT_MS): ZoomConnector {
  const [connection, setConnection] = useState<ZoomConnection>({ state: 'not-connected' })
  const stopAttempt = useRef<() => void>(() => {})

  const reset = useCallback((problem?: string) => {
    stopAttempt.current()
    setConnection({ state: 'not-connected', problem })
  }, [])

  useEffect(() => () => stopAttempt.current(), [])

  /** Asks the server about a result; says whether it was one for this form. */
  const confirmResult = useCallback(async (resultId: string, email: string, signal?: AbortSignal) => {
    try {
      const { data } = await askOAuthResult(resultId, signal)
      if (comparable(data.user_email) !== comparable(email)) return false
      setConnection({ state: 'connected', resultId, email: data.user_email, message: connectedWords(data.status) })
      return true
    } catch (error) {
      if (signal?.aborted) return false
      // Every tab hears a broadcast: a result that is not this master's belongs to another form.
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
    const given = new AbortController()
    const channel = openOAuthChannel()
    let stopWatching = () => {}
    const stop = () => {
      given.abort()
      stopWatching()
      channel.close()
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
      timeoutMs,
      onResult: async (id) => {
        if (await confirmResult(id, email, given.signal)) stop()
      },
      onError: giveUp,
      onClosed: () =>
        setConnection({ state: 'not-connected', problem: 'The Zoom window was closed before Zoom was connected.' }),
      onTimeout: () => giveUp('OAuth timeout - please try again'),
    })

    askOAuthUrl(email, given.signal)
      .then(({ auth_url }) => {
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
    async (resultId: string, email: string) => {
      const taken = await confirmResult(resultId, email)
      if (!taken) reset('OAuth integration failed.')
    },
    [confirmResult, reset],
  )

  return { connection, connect, resume, reset }
}

function connectedWords(status: 'success' | 'integrated'): string {
  return status === 'integrated'
    ? 'Zoom account already integrated! You can create the host account.'
    : 'Zoom connected! You can now create the host account.'
}
