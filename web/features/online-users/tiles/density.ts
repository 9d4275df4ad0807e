import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'

export const DENSITIES = ['comfortable', 'compact', 'list'] as const
export type Density = (typeof DENSITIES)[number]

const isDensity = (value: unknown): value is Density => DENSITIES.some((density) => density === value)

/** Tiles are compact while more users than this are online, unless the host has chosen. */
const LARGE_ROOM = 60

/** Stored in this browser; without storage, as in some private windows, it lasts for this visit. */
export function useDensity(online: number) {
  const [isLarge, setLarge] = useState(false)
  if (!isLarge && online > LARGE_ROOM) setLarge(true) // stays large as users leave, since a change moves all tiles
  const [chosen, choose] = useLocalStorage<Density | null>({
    key: 'parley.online-density',
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: (stored) => {
      const value: unknown = stored?.replaceAll('"', '')
      return isDensity(value) ? value : null
    },
  })
  return [chosen ?? (isLarge ? 'compact' : 'comfortable'), choose] as const
}
