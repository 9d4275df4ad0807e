import { QueryClient } from '@tanstack/react-query'

/** What is on screen is asked for again at every visit: a host acts on it, so yesterday's answer is worse than none. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true, staleTime: 0, gcTime: 0 } },
})
