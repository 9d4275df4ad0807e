import { useLocalStorage } from '@mantine/hooks'

export const DENSITIES = ['comfortable', 'compact', 'list'] as const
export type Density = (typeof DENSITIES)[number]

const isDensity = (value: unknown): value is Density => DENSITIES.some((density) => density === value)

/** Kept in this browser; where it keeps nothing, as in some private windows, for this visit. */
export function useDensity() {
  return useLocalStorage<Density>({
    key: 'parley.online-density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
    deserialize: (stored) => {
      const value: unknown = stored?.replaceAll('"', '')
      return isDensity(value) ? value : 'comfortable'
    },
  })
}
