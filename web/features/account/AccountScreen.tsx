import { Page } from '../../ui/Page.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import { PasswordForm } from './PasswordForm.tsx'

/** A master's or host's own account. */
export function AccountScreen() {
  return (
    <Page title="Account" subtitle="Your own password, and where you are signed in.">
      <PasswordForm />
      <OwnSessions />
    </Page>
  )
}
