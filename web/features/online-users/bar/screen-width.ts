import { useMediaQuery } from '@mantine/hooks'

const AT_ONCE = { getInitialValueInEffect: false }

/** True if the queue does not fit beside the tiles. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 75em)', undefined, AT_ONCE)
}

/** True if the bar is under the thumb. */
export function useIsPhone(): boolean {
  return useMediaQuery('(max-width: 48em)', undefined, AT_ONCE)
}
