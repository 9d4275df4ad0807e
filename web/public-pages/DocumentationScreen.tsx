import { TextScreen } from './TextScreen.tsx'

export function DocumentationScreen() {
  return (
    <TextScreen title="Documentation">
      <h2>Before you begin</h2>
      <p>
        You need a Parley account besides your Zoom account. Your administrator makes it, connects your Zoom account to
        it and gives you a username and a password.
      </p>
      <h2>What a host can do</h2>
      <ul>
        <li>Start meetings in the host's own room.</li>
        <li>Add users with a username, a user ID and a password.</li>
        <li>Mute, unmute and remove participants.</li>
        <li>Manage the recordings of the room.</li>
      </ul>
      <h2>What a user needs</h2>
      <p>
        The phone app, the Host ID, a username and a password. The first sign-in binds the account to that phone: only
        one device may be active in a meeting at a time. A host can switch a user to a new phone.
      </p>
      <h2>Recordings</h2>
      <p>Recording needs cloud recording to be enabled in the host's Zoom account.</p>
      <h2>When an account is removed</h2>
      <p>Its data is kept for 30 days. A request to delete it immediately is handled within 48 hours.</p>
    </TextScreen>
  )
}
