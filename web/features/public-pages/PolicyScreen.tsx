import { Link } from 'react-router'
import { site } from '../../lib/site.ts'
import { MailLink } from './Contact.tsx'
import { TextScreen, type TextSection } from './TextScreen.tsx'

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** The times are the operator's settings. */
function KeptTimes() {
  const { kept_days } = site
  const rows = [
    [
      'An account, its room, its users and its recordings',
      '30 days after the account is removed, then erased for good',
    ],
    [
      'A user deleted by a host',
      'the account immediately; attendance and record as below, or immediately if the host erases the user',
    ],
    ['Attendance: who was in the room and when', days(kept_days.attendance)],
    [
      'The record of who did what in the console',
      `${days(kept_days.audit)}; of a deleted host, or a user who was erased, without names and addresses`,
    ],
    [
      'Copies of recordings',
      kept_days.recordings === null ? 'until they are deleted' : `${days(kept_days.recordings)} after the meeting`,
    ],
    ['A session that has ended, with the network address it was opened from', '30 days'],
    ['Your request to delete data immediately', 'handled within 48 hours'],
  ]
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">How long</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, time]) => (
          <tr key={what}>
            <td>{what}</td>
            <td>{time}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const PARTS: TextSection[] = [
  {
    id: 'hosts',
    title: 'What is kept about hosts and administrators',
    text: (
      <ul>
        <li>Username, email address and, where given, a name and a mobile number.</li>
        <li>The password, only as a hash that cannot be turned back.</li>
        <li>The subscription, and each change of it.</li>
        <li>When and from which network address each session was opened, and what was changed in the console.</li>
      </ul>
    ),
  },
  {
    id: 'users',
    title: 'What is kept about the users of a room',
    text: (
      <ul>
        <li>What the host enters: username, user ID and, if the host likes, a reference.</li>
        <li>
          The password, encrypted. Only its own host can see it again, to repeat it to the user; each time is recorded.
        </li>
        <li>The phone: its identifier, its model and platform, and the version of the app.</li>
        <li>
          When the phone was last seen, when it arrived and left, and, while it is online, whether its user speaks, is
          muted or wants to speak.
        </li>
        <li>The voices themselves are with Zoom. Parley receives no sound; it only learns that a user speaks.</li>
      </ul>
    ),
  },
  {
    id: 'recordings',
    title: 'Recordings',
    text: (
      <p>
        Where recording is on, Zoom records the meeting, and Parley lists the audio files of the last 6 months. Within
        the host's storage limit Parley also keeps a copy, so that a recording outlives its deletion at Zoom. The host
        decides whether a meeting is recorded, and must tell the users in it.
      </p>
    ),
  },
  {
    id: 'zoom',
    title: 'Zoom',
    text: (
      <p>
        A host's consent at Zoom lets Parley set up the room's meeting and read its recordings. Zoom's tokens are kept
        encrypted on the server and never reach a browser. The consent can be withdrawn at Zoom at any time, and ends
        when the host is deleted here. Zoom handles its own part under its own privacy statement.
      </p>
    ),
  },
  {
    id: 'others',
    title: 'Who else receives data',
    text: (
      <p>
        Zoom, as far as a meeting needs it. Otherwise no one, unless a law obliges us. These pages load nothing from
        other companies and track no visits.
      </p>
    ),
  },
  {
    id: 'browser',
    title: 'In your browser',
    text: (
      <p>
        Parley sets no cookies. While you are signed in, the tab keeps your session, and forgets it when you sign out or
        close the tab. The browser also remembers whether you chose light or dark colours and whether the menu is
        folded.
      </p>
    ),
  },
  {
    id: 'time',
    title: 'How long',
    text: <KeptTimes />,
  },
  {
    id: 'rights',
    title: 'Your rights',
    text: (
      <p>
        You may ask what is kept about you, have it corrected, and have it deleted. If you are a user of a room, ask its
        host first, who sees and can change everything except your phone's data. For everything else, and for a deletion
        that should not wait 30 days, write to <MailLink />. We handle a request for immediate deletion within 48 hours.
      </p>
    ),
  },
  {
    id: 'protection',
    title: 'How it is protected',
    text: (
      <p>
        Passwords are hashed or encrypted, Zoom's tokens are encrypted, each host sees only its own room, and every
        session can be ended on the server. If something goes wrong that concerns you, we tell you.
      </p>
    ),
  },
  {
    id: 'age',
    title: 'Age',
    text: <p>Parley is not for children under 13, and does not knowingly keep anything about them.</p>,
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    text: (
      <p>
        We give notice 30 days before a change takes effect. See also the <Link to="/terms">Terms of Service</Link>.
      </p>
    ),
  },
]

export function PolicyScreen() {
  return (
    <TextScreen
      title="Privacy Policy"
      lead="Last updated July 22, 2025"
      intro={
        <p>
          Parley keeps what it needs to run a host's room, and nothing to sell or to advertise with. It is an
          independent tool, and not affiliated with Zoom. This page says what is kept, why, for how long, and how to
          have it deleted.
        </p>
      }
      parts={PARTS}
    />
  )
}
