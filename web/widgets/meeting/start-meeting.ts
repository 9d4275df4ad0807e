import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { create } from 'zustand'
import type { Room } from '../../../shared/rooms.ts'
import { messageOf } from '../../lib/api-client.ts'
import { DOUBLE_PRESS_MS } from '../../lib/once.ts'
import { fetchStartUrl, hostRoom } from '../../queries/rooms.ts'
import { toast } from '../../ui/toast.tsx'

/** Zoom's app may take a while to open, and its owner to press Start. */
export const START_WAIT_MS = 2 * 60_000
/** Milliseconds between two polls until Zoom reports the start. */
export const START_POLL_MS = 1500

type Start =
  /** `since`: when the window of a running meeting was opened. */
  | { phase: 'idle'; since?: number }
  | { phase: 'fetching' }
  /** The browser blocked the window, or it was closed before Zoom's address arrived: the host has to press the link. */
  | { phase: 'blocked'; url: string }
  | { phase: 'waiting'; since: number }

/** Shared by all controls of a page, and kept across pages. */
export const useStartProgress = create<Start>()((): Start => ({ phase: 'idle' }))

const setStart = (start: Start) => useStartProgress.setState(start, true)

export function waitForStart(): void {
  setStart({ phase: 'waiting', since: performance.now() })
}

export function resetStart(): void {
  const start = useStartProgress.getState()
  if (start.phase === 'fetching') return
  setStart(start.phase === 'waiting' ? { phase: 'idle', since: start.since } : { phase: 'idle' })
}

/** Ends the wait when Zoom reports the start, and does not resume it: the meeting may end soon. */
export function useClearStartWhenLive(room: Room | undefined): void {
  const { phase } = useStartProgress()
  const isOver = phase === 'waiting' && room?.is_live === true
  useEffect(() => {
    if (isOver) resetStart()
  }, [isOver])
}

/** The second press of a double click would open a second window. */
function isOneMorePress(): boolean {
  const start = useStartProgress.getState()
  if (start.phase === 'fetching') return true
  return 'since' in start && performance.now() - (start.since ?? -Infinity) < DOUBLE_PRESS_MS
}

/** Call the result in the click handler, else the browser blocks the window. */
export function useStartMeeting(): () => Promise<void> {
  const client = useQueryClient()

  return async () => {
    if (isOneMorePress()) return
    const zoom = openEmptyWindow()
    setStart({ phase: 'fetching' })
    try {
      const url = httpAddress(await fetchStartUrl(new AbortController().signal))
      if (zoom && !zoom.closed) {
        zoom.location.replace(url)
        waitForStart()
      } else offerLink(url)
    } catch (error) {
      zoom?.close()
      setStart({ phase: 'idle' })
      toast.error(messageOf(error, 'Failed to start the meeting'))
      void client.invalidateQueries(hostRoom)
    }
  }
}

function offerLink(url: string) {
  const blocked: Start = { phase: 'blocked', url }
  setStart(blocked)
  setTimeout(() => useStartProgress.getState() === blocked && resetStart(), START_WAIT_MS)
}

/** A window opened with `noopener` cannot get an address later. */
function openEmptyWindow(): Window | null {
  const opened = window.open('about:blank', '_blank')
  if (!opened) return null
  opened.opener = null
  opened.document.title = 'Opening Zoom'
  opened.document.body.textContent = 'Opening Zoom…'
  return opened
}

/** Accepts only http(s): a javascript: address would run as our page. */
function httpAddress(address: string): string {
  const url = new URL(address)
  if (!['https:', 'http:'].includes(url.protocol)) throw new Error('Not a link of Zoom’s')
  return url.href
}
