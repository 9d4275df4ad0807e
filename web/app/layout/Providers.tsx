import '@mantine/core/styles.layer.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Outlet } from 'react-router'
import { queryClient } from '../../lib/query-client.ts'
import { currentScheme, subscribeToScheme } from '../../ui/color-scheme.ts'
import { theme } from '../../ui/theme.ts'

/** What the panels stand on. The pages before sign-in do without, and so are there in half the time. */
export function Providers() {
  const scheme = useSyncExternalStore(subscribeToScheme, currentScheme)
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme}>
      <QueryClientProvider client={queryClient}>
        <Outlet />
      </QueryClientProvider>
    </MantineProvider>
  )
}
