import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { CatchBroken } from './Broken.tsx'
import { takeInvitation } from './sign-in/address.ts'
import { firstLanguage, showLanguage } from './words/language.ts'

const invitation = takeInvitation() // before anything else: the token must not stay in the address
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

const page = createRoot(root)
// Not awaited here: a chunk that awaits keeps the bundler from joining small ones, of the console's pages too.
void showLanguage(firstLanguage(navigator.languages)).then(() =>
  page.render(
    <StrictMode>
      <CatchBroken>
        <App invitation={invitation} />
      </CatchBroken>
    </StrictMode>,
  ),
)
