import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type ReturnQuery, readReturnQuery, withoutReturnQuery } from './return-query.ts'

export type AddHostStart = Pick<ReturnQuery, 'resultId' | 'email' | 'notice'>

const FRESH: AddHostStart = { resultId: null, email: null, notice: null }

/** Whether Add New Host is open, by its button or because the address asks for it; the address is then cleaned. */
export function useAddHostFromAddress() {
  const [params, setParams] = useSearchParams()
  const [isOpen, setIsOpen] = useState(false)
  const [start, setStart] = useState(FRESH)

  useEffect(() => {
    const asked = readReturnQuery(params)
    if (!asked.opensAddHost && !asked.notice && !asked.resultId) return
    setStart(asked)
    setIsOpen(asked.opensAddHost)
    setParams(withoutReturnQuery(params), { replace: true })
  }, [params, setParams])

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
