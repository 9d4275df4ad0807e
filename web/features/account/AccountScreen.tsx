import { Page } from '../../ui/Page.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SecondFactor } from './SecondFactor.tsx'

/** A master's or host's own account. */
export function AccountScreen() {
  return (
    <Page title="Account" subtitle="Your own password and second factor, and where you are signed in.">
      <PasswordForm />
      <SecondFactor />
      <OwnSessions />
    </Page>
  )
}
