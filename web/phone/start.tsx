import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { CatchBroken } from './Broken.tsx'
import { takeLinkParams } from './sign-in/address.ts'
import { applyLanguage, preferredLanguage } from './words/language.ts'

const link = takeLinkParams() // first of all, to remove the token from the address
// A key that is held down presses once, and not whatever has the focus by then.
window.addEventListener('keydown', (event) => event.repeat && event.key === 'Enter' && event.preventDefault(), {
  capture: true,
})
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

const page = createRoot(root)
// Not awaited here: a top-level await keeps the bundler from merging small chunks, including the console's.
void applyLanguage(preferredLanguage(navigator.languages)).then(() =>
  page.render(
    <StrictMode>
      <CatchBroken>
        <App link={link} />
      </CatchBroken>
    </StrictMode>,
  ),
)
