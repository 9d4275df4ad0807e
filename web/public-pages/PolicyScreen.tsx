import { site } from '../site.ts'
import { TextScreen } from './TextScreen.tsx'

export function PolicyScreen() {
  return (
    <TextScreen title="Privacy Policy">
      <p>
        Parley keeps what it needs to run a host's room: the names and credentials that a host enters, the phone each
        user signs in from, when that phone was last seen, and the recordings of the room where recording is on.
      </p>
      <h2>Zoom</h2>
      <p>
        A host's consent at Zoom lets Parley set up the room's meeting and read its recordings. Zoom's tokens are kept
        encrypted on the server and never reach a browser. The consent can be withdrawn at Zoom at any time.
      </p>
      <h2>How long</h2>
      <p>After an account is removed, its data is kept for 30 days and then erased for good.</p>
      <p>
        A request to delete data immediately is handled within 48 hours.
        {site.support_email ? (
          <>
            {' '}
            Write to <a href={`mailto:${site.support_email}`}>{site.support_email}</a>.
          </>
        ) : null}
      </p>
      <h2>Age</h2>
      <p>Parley is not for children under 13.</p>
    </TextScreen>
  )
}
