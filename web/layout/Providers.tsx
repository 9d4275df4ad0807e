import '@mantine/core/styles.layer.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { queryClient } from '../query-client.ts'
import { theme } from '../theme.ts'
import { schemeManager } from './scheme-manager.ts'

/** What the panels stand on. The pages before sign-in do without, and so are there in half the time. */
export function Providers() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={schemeManager}>
      <QueryClientProvider client={queryClient}>
        <Outlet />
      </QueryClientProvider>
    </MantineProvider>
  )
}
