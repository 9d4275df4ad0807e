import { useState } from 'react'
import { z } from 'zod'
import { useStored } from '../../../ui/use-stored.ts'

export const DENSITIES = ['comfortable', 'compact', 'list'] as const
export type Density = (typeof DENSITIES)[number]

const Chosen = z.enum(DENSITIES).nullable()

/** Tiles are compact while more users than this are online, unless the host has chosen. */
const LARGE_ROOM = 60

/** Stored in this browser; without storage, as in some private windows, it lasts for this visit. */
export function useDensity(online: number) {
  const [isLarge, setLarge] = useState(false)
  if (!isLarge && online > LARGE_ROOM) setLarge(true) // stays large as users leave, since a change moves all tiles
  const [chosen, choose] = useStored('parley.online-density', Chosen, null)
  return [chosen ?? (isLarge ? 'compact' : 'comfortable'), choose] as const
}
