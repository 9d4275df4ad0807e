import { TextScreen } from './TextScreen.tsx'

export function TermsScreen() {
  return (
    <TextScreen title="Terms of Service">
      <p>
        Parley is an independent third-party tool for managing meetings. It works with Zoom through Zoom's public API,
        and is not affiliated with, endorsed by or sponsored by Zoom. Your use of Zoom itself is under Zoom's own terms.
      </p>
      <h2>Accounts</h2>
      <p>
        You need a Parley account besides your Zoom account. Host accounts are made by an administrator, and users are
        added by their host. You must be at least 13 years old. Keep your credentials to yourself: only one device may
        be active in a meeting at a time.
      </p>
      <h2>Subscriptions</h2>
      <p>A host's subscription runs for the months that were bought. A cancelled one ends access at once.</p>
      <h2>Changes</h2>
      <p>We give notice 30 days before a change of these terms takes effect.</p>
    </TextScreen>
  )
}
