import { focusManager, QueryClient } from '@tanstack/react-query'

// A window beside others gets the focus without becoming visible, the only change that the library listens for.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus()
  window.addEventListener('visibilitychange', listener)
  window.addEventListener('focus', listener)
  return () => {
    window.removeEventListener('visibilitychange', listener)
    window.removeEventListener('focus', listener)
  }
})

/**
 * Hosts act on the data they see, so every visit of a page fetches again and nothing is kept. `networkMode`: actions
 * are not queued until the network is back, since they would come too late and unseen.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
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
}
