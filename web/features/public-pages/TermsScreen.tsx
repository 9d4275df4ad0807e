import { Link } from 'react-router'
import { MailLink } from './Contact.tsx'
import { TextScreen } from './TextScreen.tsx'

export function TermsScreen() {
  return (
    <TextScreen title="Terms of Service" lead="Last updated July 22, 2025">
      <p>
        These terms apply between you and the operator of this installation of Parley (“we”). By using Parley, as an
        administrator, as a host or from the phone app, you agree to them.
      </p>

      <h2>1. What Parley is</h2>
      <p>
        Parley is an independent third-party tool for managing audio-only meetings. It works with Zoom through Zoom's
        public API, and is not affiliated with, endorsed by or sponsored by Zoom. The meetings themselves take place at
        Zoom; your use of Zoom is under Zoom's own terms, and needs a Zoom account of your own.
      </p>

      <h2>2. Accounts</h2>
      <ul>
        <li>A Parley account is needed besides the Zoom account. It is a separate account with its own password.</li>
        <li>Host accounts are made by an administrator. The people of a room are added by their host.</li>
        <li>You must be at least 13 years old.</li>
        <li>
          Keep your credentials to yourself. Only one device may be active in a meeting at a time, and the login of a
          person works from the one phone that it is bound to.
        </li>
        <li>What is done with your login counts as done by you. Tell us at once if someone else has it.</li>
      </ul>

      <h2>3. Host responsibilities</h2>
      <ul>
        <li>
          A host decides who joins its room, and may start meetings, mute, unmute and remove participants, and manage
          recordings.
        </li>
        <li>
          A host that records must tell the people in the room, and must have whatever consent the law of the place asks
          for. Recording needs cloud recording to be enabled in the host's Zoom account.
        </li>
        <li>A host enters other people's names and numbers only with a right to do so.</li>
      </ul>

      <h2>4. What is not allowed</h2>
      <p>
        To use Parley for anything unlawful, to harass anyone, to listen in where you were not invited, to try logins
        that are not yours, to disturb the service for others, or to take it apart in order to do any of these.
      </p>

      <h2>5. Subscriptions</h2>
      <ul>
        <li>A host's subscription runs for the calendar months that were bought: 1, 2, 3, 6 or 12.</li>
        <li>The console warns when 7 days or fewer remain.</li>
        <li>
          When a subscription has run out, the console still opens and says so, and phones cannot join until it is
          extended. People in the room at that moment may stay until they leave.
        </li>
        <li>
          A cancelled subscription ends access at once: the host cannot log in, and its people are signed out. Extending
          it later reverses this.
        </li>
      </ul>

      <h2>6. Ending, and what becomes of the data</h2>
      <p>
        A host may leave at any time by writing to us, and we may end an account that breaks these terms. After an
        account is removed its data is kept for 30 days, in which it can be brought back, and is then erased for good. A
        request to delete it immediately is handled within 48 hours. The <Link to="/policy">Privacy Policy</Link> says
        more.
      </p>

      <h2>7. What we promise, and what we do not</h2>
      <p>
        We keep Parley running with care, and answer as the <Link to="/support">Support</Link> page says. We cannot
        promise that it is never interrupted: it depends on Zoom, on networks and on phones that are not ours. As far as
        the law allows, Parley is provided as it is, and we are not liable for loss that follows from an interruption,
        from what was said in a meeting, or from a recording that Zoom did not make.
      </p>

      <h2>8. Changes of these terms</h2>
      <p>
        We give notice 30 days before a change takes effect, by e-mail to the hosts or on this page. By continuing to
        use Parley after that you agree to the change.
      </p>

      <h2>9. Contact</h2>
      <p>
        Questions about these terms: <MailLink />.
      </p>
    </TextScreen>
  )
}
