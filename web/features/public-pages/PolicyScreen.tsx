import { Link } from 'react-router'
import { MailLink } from './Contact.tsx'
import { TextScreen } from './TextScreen.tsx'

const KEPT = [
  ['An account, its room, its people and its recordings', '30 days after the account is removed, then erased for good'],
  ['A person deleted by a host', 'erased at once'],
  ['Attendance: who was in the room and when', '396 days'],
  ['The record of who did what in the console', '731 days; of a deleted host, without names and addresses'],
  ['A session that has ended, with the network address it was opened from', '30 days'],
  ['A request of yours to delete data immediately', 'handled within 48 hours'],
]

export function PolicyScreen() {
  return (
    <TextScreen title="Privacy Policy" lead="Last updated July 22, 2025">
      <p>
        Parley keeps what it needs to run a host's room, and nothing to sell or to advertise with. It is an independent
        tool, and not affiliated with Zoom. This page says what is kept, why, for how long, and how to have it deleted.
      </p>

      <h2>What is kept about hosts and administrators</h2>
      <ul>
        <li>Username, e-mail address, and where given a name and a mobile number.</li>
        <li>The password, only as a hash that cannot be turned back.</li>
        <li>The subscription, and each change of it.</li>
        <li>When and from which network address a person logged in, and what was changed in the console.</li>
      </ul>

      <h2>What is kept about the people in a room</h2>
      <ul>
        <li>What the host enters: username, user ID and, if the host likes, a reference.</li>
        <li>
          The password, encrypted. It can be shown again to its own host alone, who may have to repeat it to the person;
          each time is recorded.
        </li>
        <li>The phone: an identifier of the device, its model and platform, and the version of the app.</li>
        <li>
          When the phone was seen last, when it came and left, and, while it is online, whether its person speaks, is
          muted or asks to speak.
        </li>
        <li>The voices themselves are with Zoom. Parley receives no sound; it only learns that a person speaks.</li>
      </ul>

      <h2>Recordings</h2>
      <p>
        Where recording is on, Zoom records the meeting, and Parley lists the audio files of the last 6 months. Within
        the host's storage limit Parley also keeps a copy, so that a recording outlives its deletion at Zoom. Whether a
        meeting is recorded is up to its host, who must tell the people in it.
      </p>

      <h2>Zoom</h2>
      <p>
        A host's consent at Zoom lets Parley set up the room's meeting and read its recordings. Zoom's tokens are kept
        encrypted on the server and never reach a browser. The consent can be withdrawn at Zoom at any time, and ends
        when the host is deleted here. Zoom handles its own part under its own privacy statement.
      </p>

      <h2>Who else receives data</h2>
      <p>
        Zoom, as far as a meeting needs it. Otherwise no one, unless a law obliges us. Nothing of these pages is loaded
        from other companies, and no visits are tracked.
      </p>

      <h2>In your browser</h2>
      <p>
        Parley sets no cookies. While you are signed in, the tab keeps your session, and forgets it when you log out or
        close the tab. The browser also remembers whether you chose light or dark colours and whether the menu is
        folded.
      </p>

      <h2>How long</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">How long</th>
          </tr>
        </thead>
        <tbody>
          {KEPT.map(([what, time]) => (
            <tr key={what}>
              <td>{what}</td>
              <td>{time}</td>
            </tr>
          ))}
        </tbody>
      </table>

      <h2>Your rights</h2>
      <p>
        You may ask what is kept about you, have it corrected, and have it deleted. If you are in a host's room, ask
        your host first, who sees and can change all of it but your phone's data. For everything else, and for a
        deletion that is not to wait 30 days, write to <MailLink />. We handle a request for immediate deletion within
        48 hours.
      </p>

      <h2>How it is protected</h2>
      <p>
        Passwords are hashed or encrypted, Zoom's tokens are encrypted, each host sees only its own room, and every
        session can be ended on the server. If something should go wrong that concerns you, we tell you.
      </p>

      <h2>Age</h2>
      <p>Parley is not for children under 13, and keeps nothing about them knowingly.</p>

      <h2>Changes</h2>
      <p>
        We give notice 30 days before a change of this policy takes effect. See also the{' '}
        <Link to="/terms">Terms of Service</Link>.
      </p>
    </TextScreen>
  )
}
