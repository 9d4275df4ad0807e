import { useMediaQuery } from '@mantine/hooks'

const AT_ONCE = { getInitialValueInEffect: false }

/** Too narrow for the queue to stand beside the tiles. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 75em)', undefined, AT_ONCE)
}

/** The bar is under the thumb. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', undefined, AT_ONCE)
}
