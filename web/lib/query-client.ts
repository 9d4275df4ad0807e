import { QueryClient } from '@tanstack/react-query'

/**
 * What is on screen is asked for again at every visit: a host acts on it, so yesterday's answer is worse than none. And
 * nothing waits for the network to come back: an act of then would come too late, and would be told to nobody.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: 1,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
      staleTime: 0,
      gcTime: 0,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
