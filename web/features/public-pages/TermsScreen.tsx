import { Link } from 'react-router'
import { MailLink } from './Contact.tsx'
import { TextScreen, type TextSection } from './TextScreen.tsx'

const PARTS: TextSection[] = [
  {
    id: 'parley',
    title: '1. What Parley is',
    text: (
      <p>
        Parley is an independent third-party tool for managing audio-only meetings. It works with Zoom through Zoom's
        public API, and is not affiliated with, endorsed by or sponsored by Zoom. The meetings themselves take place at
        Zoom, under Zoom's own terms. A host needs a Zoom account; the users of a room do not.
      </p>
    ),
  },
  {
    id: 'accounts',
    title: '2. Accounts',
    text: (
      <ul>
        <li>
          A host's Parley account is needed besides the Zoom account. It is a separate account with its own password.
        </li>
        <li>Host accounts are created by an administrator. The users of a room are added by their host.</li>
        <li>You must be at least 13 years old.</li>
        <li>
          Keep your credentials to yourself. Only one device may be active in a meeting at a time, and a user can sign
          in only from the phone that the account is bound to.
        </li>
        <li>You are responsible for what is done with your account. Tell us immediately if someone else uses it.</li>
      </ul>
    ),
  },
  {
    id: 'hosts',
    title: '3. Host responsibilities',
    text: (
      <ul>
        <li>
          A host decides who joins the room, and may start meetings, mute, unmute and remove participants, and manage
          recordings.
        </li>
        <li>
          A host who records must tell the users in the room, and must obtain the consent that local law requires.
          Recording needs cloud recording to be enabled in the host's Zoom account.
        </li>
        <li>A host may enter the names and numbers of others only if entitled to.</li>
      </ul>
    ),
  },
  {
    id: 'use',
    title: '4. What is not allowed',
    text: (
      <>
        <p>You may not:</p>
        <ul>
          <li>use Parley for anything unlawful, or to harass anyone;</li>
          <li>listen in where you were not invited, or sign in with an account that is not yours;</li>
          <li>disrupt the service for others, or reverse-engineer it to do so.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'subscriptions',
    title: '5. Subscriptions',
    text: (
      <ul>
        <li>A host's subscription runs for the calendar months that were bought: 1, 2, 3, 6 or 12.</li>
        <li>The console warns when 7 days or fewer remain.</li>
        <li>
          When a subscription has expired, the host can still sign in, and the console says so; phones cannot join until
          it is extended. Users who are in the room at that moment may stay until they leave.
        </li>
        <li>
          A cancelled subscription ends access immediately: the host can no longer sign in, and the users of the room
          are signed out. Extending it later reverses this.
        </li>
      </ul>
    ),
  },
  {
    id: 'ending',
    title: '6. Closing an account, and its data',
    text: (
      <p>
        A host may leave at any time by writing to us, and we may close an account that breaks these terms. After an
        account is removed its data is kept for 30 days, in which it can be restored, and is then erased for good. A
        request to delete it immediately is handled within 48 hours. The <Link to="/policy">Privacy Policy</Link> has
        the details.
      </p>
    ),
  },
  {
    id: 'liability',
    title: '7. What we promise, and what we do not',
    text: (
      <p>
        We run Parley with care, and answer as the <Link to="/support">Support</Link> page says. We cannot promise that
        it is never interrupted: it depends on Zoom, on networks and on phones that are not ours. As far as the law
        allows, Parley is provided as it is, and we are not liable for loss that follows from an interruption, from what
        was said in a meeting, or from a recording that Zoom did not make.
      </p>
    ),
  },
  {
    id: 'changes',
    title: '8. Changes to these terms',
    text: (
      <p>
        We give notice 30 days before a change takes effect, by email to the hosts or on this page. By continuing to use
        Parley after that you agree to the change.
      </p>
    ),
  },
  {
    id: 'contact',
    title: '9. Contact',
    text: (
      <p>
        Questions about these terms: <MailLink />.
      </p>
    ),
  },
]

export function TermsScreen() {
  return (
    <TextScreen
      title="Terms of Service"
      lead="Last updated July 22, 2025"
      intro={
        <p>
          These terms apply between you and the operator of this installation of Parley (“we”). By using Parley, as an
          administrator, as a host or from the phone app, you agree to them.
        </p>
      }
      parts={PARTS}
    />
  )
}
