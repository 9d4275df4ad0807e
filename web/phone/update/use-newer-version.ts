import { useCallback, useEffect, useState } from 'react'
import { isNewerVersionDeployed } from './is-newer-version.ts'

/** Checks whenever the app becomes visible, and when `look` is called. */
export function useNewerVersion(): [isOld: boolean, look: () => Promise<boolean>] {
  const [isOld, setOld] = useState(false)
  const look = useCallback(async () => {
    const isThere = await isNewerVersionDeployed()
    if (isThere) setOld(true)
    return isThere
  }, [])
  useEffect(() => {
    const handleVisible = () => {
      if (!document.hidden) void look()
    }
    document.addEventListener('visibilitychange', handleVisible)
    return () => document.removeEventListener('visibilitychange', handleVisible)
  }, [look])
  return [isOld, look]
}
