import { useElementSize } from '@mantine/hooks'

/** Measures the place of a chart. Without a layout, as before the first measurement, it is 0: draw nothing then. */
export function useChartWidth() {
  const { ref, width } = useElementSize<HTMLDivElement>()
  return { ref, width: Math.floor(width) }
}
