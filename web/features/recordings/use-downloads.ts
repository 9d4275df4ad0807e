import { useCallback, useEffect, useRef, useState } from 'react'
import type { Recording } from '../../../shared/recordings.ts'
import { isSecondPress, resetPress } from '../../lib/once.ts'
import { saveFile } from '../../lib/save-file.ts'
import { toast } from '../../ui/toast.tsx'
import { fetchMedia } from './fetch-media.ts'

/** The browser downloads larger files itself, writing them to the disk as they arrive. */
const HELD_MAX_BYTES = 300 * 1024 * 1024

/** The progress of each download, by the recording's id: from 0 to 1, or null if the size is unknown. */
export type Downloads = ReadonlyMap<string, number | null>

/**
 * Downloads with a progress, which can be stopped. Leaving the page stops them. `renew` fetches the present address of a
 * file whose address has expired.
 */
export function useDownloads(renew: (id: string) => Promise<string | undefined>) {
  const [downloads, setDownloads] = useState<Downloads>(new Map())
  const running = useRef(new Map<string, AbortController>())

  useEffect(() => {
    const { current } = running
    return () => {
      for (const controller of current.values()) controller.abort()
    }
  }, [])

  async function start({ id, file_name, file_data }: Recording) {
    const { download_url, file_size } = file_data
    if (!download_url) return toast.error('No downloadable file available')
    if (isSecondPress(download_url) || running.current.has(id)) return
    if ((file_size ?? 0) > HELD_MAX_BYTES) return followLink(download_url, file_name)
    const controller = new AbortController()
    running.current.set(id, controller)
    const show = (share: number | null) => setDownloads((before) => new Map(before).set(id, share))
    show(0)
    try {
      const file = await fetchMedia(download_url, controller.signal, show).catch(async (error: unknown) => {
        const fresh = controller.signal.aborted ? undefined : await renew(id)
        if (!fresh || fresh === download_url) throw error
        return fetchMedia(fresh, controller.signal, show)
      })
      saveFile(file_name, file)
    } catch {
      resetPress()
      if (!controller.signal.aborted) toast.error(`${file_name} could not be downloaded. Please try again.`)
    }
    running.current.delete(id)
    setDownloads((before) => new Map([...before].filter(([other]) => other !== id)))
  }

  const stop = useCallback(({ id }: Recording) => running.current.get(id)?.abort(), [])
  return { downloads, start, stop }
}

function followLink(url: string, name: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
