import { useCallback, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { isRecord } from '../lib/is-record.ts'

type Layer = { close: () => void }

/** Open layers above the page, the top one last. */
const layers: Layer[] = []

export const topLayer = () => layers.at(-1)

/** Adds a layer that Back closes; returns a function that removes it. */
export function addLayer(close: () => void): () => void {
  const layer = { close }
  layers.push(layer)
  // Delayed, since Escape reaches each open dialog: the one below must not take itself for the top one.
  return () => void setTimeout(() => layers.splice(layers.indexOf(layer), 1))
}

/** Lets Back close a layer. The returned function closes it too, unless another layer is above it. */
export function useLayer(isOpen: boolean, close: () => void): () => void {
  const navigate = useNavigate()
  const ownLayer = useRef<Layer>(undefined)
  const latest = useRef({ close, navigate })
  useEffect(() => {
    latest.current = { close, navigate }
  })

  useEffect(() => {
    if (!isOpen) return
    const remove = addLayer(() => latest.current.close())
    ownLayer.current = topLayer()
    // Delayed, since the opener may be correcting the address.
    const adding = setTimeout(() => {
      const { pathname, search, hash } = window.location
      if (isFirstPage()) void latest.current.navigate({ pathname, search, hash }, { preventScrollReset: true })
    })
    return () => {
      clearTimeout(adding)
      remove()
    }
  }, [isOpen])

  return useCallback(() => {
    if (ownLayer.current === topLayer()) latest.current.close()
  }, [])
}

/** True on the first page of the tab: Back would leave the console from there, and no blocker would notice. */
function isFirstPage(): boolean {
  const { state }: { state: unknown } = window.history
  return isRecord(state) && state.idx === 0
}
