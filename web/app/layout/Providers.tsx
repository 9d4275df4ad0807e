import '@mantine/core/styles.layer.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { Outlet } from 'react-router'
import { createQueryClient } from '../../lib/query-client.ts'
import { currentScheme, subscribeToScheme } from '../../ui/color-scheme.ts'
import { theme } from '../../ui/theme.ts'

/** Around the panels only: the pages before sign-in load in half the time without them. */
export function Providers() {
  const [queryClient] = useState(createQueryClient) // goes with the panels at sign-out, and all that was fetched with it
  const scheme = useSyncExternalStore(subscribeToScheme, currentScheme)
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme}>
      <QueryClientProvider client={queryClient}>
        <Outlet />
      </QueryClientProvider>
    </MantineProvider>
  )
}
