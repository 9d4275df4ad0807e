import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  type OpensAddHost,
  type ReturnQuery,
  readReturnQuery,
  withoutReturnQuery,
} from '../zoom-connect/return-query.ts'

export type AddHostPrefill = Pick<ReturnQuery, 'resultId' | 'email' | 'connected' | 'notice'>
export type AddingHost = ReturnType<typeof useAddHostFromAddress>

const FRESH: AddHostPrefill = { resultId: null, email: null, connected: '', notice: null }

/** Opens Add New Host by its button, or by the address, whose parameters are then removed. */
export function useAddHostFromAddress(opens: OpensAddHost) {
  const [params, setParams] = useSearchParams()
  const [isOpen, setIsOpen] = useState(false)
  const [start, setStart] = useState(FRESH)

  useEffect(() => {
    const left = withoutReturnQuery(params)
    if (left.size === params.size) return
    const returned = readReturnQuery(params, opens)
    setStart(returned)
    setIsOpen(returned.opensAddHost)
    setParams(left, { replace: true })
  }, [params, setParams, opens])

  return {
    isOpen,
    start,
    notice: start.notice,
    open() {
      setStart(FRESH)
      setIsOpen(true)
    },
    close() {
      setStart(FRESH)
      setIsOpen(false)
    },
    dismissNotice: () => setStart(FRESH),
  }
}
