import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './styles/tokens.css'
import './styles/base.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { dropInheritedSession } from './oauth-return/inherited-session.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'
import { startSession } from './session/restore-session.ts'
import { theme } from './theme.ts'

// Before anything is asked with it: a popup starts with a copy of the session of the page that opened it.
dropInheritedSession(window)
void startSession()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'parley.color-scheme' })}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="top-right" containerWidth={380} limit={3} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
