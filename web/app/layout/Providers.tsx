import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import '../../ui/theme.css'
import { MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Outlet } from 'react-router'
import { createQueryClient } from '../../lib/query-client.ts'
import { currentScheme, subscribeToScheme } from '../../ui/base/color-scheme.ts'
import { theme } from '../../ui/theme.ts'

/** Only the panels need these: the pages before sign-in load in half the time without them. */
export function Providers() {
  const [queryClient] = useState(createQueryClient) // sign-out drops the panels, and with them all fetched data
  const scheme = useSyncExternalStore(subscribeToScheme, currentScheme)
  useEffect(() => () => notifications.clean(), []) // else they would show again at the next sign-in

  return (
    <MantineProvider theme={theme} forceColorScheme={scheme}>
      <QueryClientProvider client={queryClient}>
        <section aria-label="Messages" aria-live="polite">
          <Notifications position="top-right" limit={3} containerWidth={380} withinPortal={false} />
        </section>
        <Outlet />
      </QueryClientProvider>
    </MantineProvider>
  )
}
