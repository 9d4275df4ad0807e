import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isRecord } from '../lib/is-record.ts'

type Layer = { close: () => void }

/** What is open above the page, the top one last. */
const layers: Layer[] = []

export const topLayer = () => layers.at(-1)

/** Puts something above the page, which Back closes; returns how to take it away. */
export function addLayer(close: () => void): () => void {
  const layer = { close }
  layers.push(layer)
  // Later, since Escape reaches each open dialog: the one below must not take itself for the top one.
  return () => void setTimeout(() => layers.splice(layers.indexOf(layer), 1))
}

/** Lets Back close what is open. The returned function closes it too, unless something else is open above it. */
export function useLayer(isOpen: boolean, close: () => void): () => void {
  const navigate = useNavigate()
  const location = useLocation()
  const own = useRef<Layer>(undefined)
  const latest = useRef({ close, addPage })
  useEffect(() => {
    latest.current = { close, addPage }
  })

  /** From the first page of a tab, Back would leave the console. */
  function addPage() {
    const { state }: { state: unknown } = window.history
    if (isRecord(state) && state.idx === 0) void navigate(location, { state: location.state, preventScrollReset: true })
  }

  useEffect(() => {
    if (!isOpen) return
    latest.current.addPage()
    const remove = addLayer(() => latest.current.close())
    own.current = topLayer()
    return remove
  }, [isOpen])

  return useCallback(() => {
    if (own.current === topLayer()) latest.current.close()
  }, [])
}
