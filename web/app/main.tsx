import '../lib/no-eval.ts'
import '../ui/base/tokens.css'
import '../ui/base/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { dropInheritedSession, isReturnPage } from '../features/oauth-return/inherited-session.ts'
import { takeTokenFromAddress } from '../lib/session/hand-over.ts'
import { startSession } from '../lib/session/restore-session.ts'
import { startVisit } from '../lib/session/return-page.ts'
import { startColorScheme } from '../ui/base/color-scheme.ts'
import { LightToaster } from '../ui/base/toast.tsx'
import { ignoreRepeatedKeys } from '../ui/repeated-keys.ts'
import { createRouter } from './router.tsx'

// Must precede the first call: a popup starts with a copy of its opener's session.
dropInheritedSession(window)
// Must precede the router, since a page may write back the address that the router has read.
const handedOver = takeTokenFromAddress(window.location, window.history, !isReturnPage(window.location.pathname))
startColorScheme()
ignoreRepeatedKeys()
startVisit()
void startSession(handedOver)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

createRoot(root).render(
  <StrictMode>
    <LightToaster />
    <RouterProvider router={createRouter()} />
  </StrictMode>,
)
