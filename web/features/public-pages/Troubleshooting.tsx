import { Link } from 'react-router'
import { Disclosure } from './Disclosure.tsx'

/** Ordered by symptom, not by cause. */
export function Troubleshooting() {
  return (
    <>
      <Disclosure title="I cannot sign in as a host">
        <ol>
          <li>Sign in on the host site, under LOGIN, with the username that your administrator gave you.</li>
          <li>Press the eye beside the password and check it. Capital letters matter.</li>
          <li>
            “Your subscription has been cancelled”: your administrator cancelled it, and can undo this by extending it.
          </li>
          <li>After several wrong passwords you have to wait. The message says how long.</li>
          <li>A forgotten password cannot be shown. Your administrator can set a new one.</li>
        </ol>
      </Disclosure>
      <Disclosure title="A user cannot sign in on the phone">
        <ol>
          <li>
            Compare the three fields: Host ID, username and password. Copy credentials on Users Master gives you all
            three, and the link to your room.
          </li>
          <li>
            “This account is linked to another phone”: on Users Master open the user's menu and choose Switch phone. The
            next phone to sign in becomes the new one.
          </li>
          <li>Status S: the user was deactivated. Choose Activate.</li>
          <li>Look at the subscription box in the menu: without an active subscription no phone can sign in.</li>
          <li>Check on Host Master whether your room is stopped (S). If so, activate it (A).</li>
        </ol>
      </Disclosure>
      <Disclosure title="A user hears nothing">
        <ol>
          <li>
            “Joining” on the tile: the user has to tap Join Audio in the meeting's own window, or you have not started
            the meeting yet.
          </li>
          <li>“No sound”: the user has not tapped Join. “Sound blocked”: the user has to tap Turn the sound on.</li>
          <li>“Sound lost”: the phone app tries to bring it back by itself.</li>
          <li>“Not answering”: the phone is locked, another app is in front, or it has no network.</li>
          <li>
            Otherwise have the user tap “I cannot hear” in the phone app. It tests the phone with a tone, and can start
            the sound again.
          </li>
        </ol>
      </Disclosure>
      <Disclosure title="A user is in the meeting, but not on the Online page">
        <ol>
          <li>A phone without network shows as offline after at most 30 seconds, and comes back by itself.</li>
          <li>
            The user may have joined with Zoom's own app. Only phones that signed in with your Host ID appear on the
            page.
          </li>
          <li>Press Refresh. It also clears phones that disconnected silently.</li>
        </ol>
      </Disclosure>
      <Disclosure title="I muted a user who can still be heard">
        <ol>
          <li>
            The tile shows whether the phone has confirmed. A phone that has just lost its network is muted as soon as
            it is back.
          </li>
          <li>Check whether the user is also in the meeting with Zoom's own app. Parley mutes the phone app only.</li>
          <li>Sign the user out on the Online page. The phone then leaves the meeting.</li>
        </ol>
      </Disclosure>
      <Disclosure title="The Online page says that it is not up to date">
        <ol>
          <li>Your browser cannot reach Parley. Check your own network first.</li>
          <li>The page keeps trying, and its buttons return with the connection.</li>
          <li>If that does not help, reload the page.</li>
        </ol>
      </Disclosure>
      <Disclosure title="There are no recordings">
        <ol>
          <li>
            Cloud recording must be enabled in your Zoom account, with an audio-only file. It needs a paid Zoom plan.
          </li>
          <li>Recording must be on for your account in Parley. Your administrator sees it.</li>
          <li>Zoom takes some minutes to complete a recording, after a long meeting some hours.</li>
          <li>The page shows the last 6 months, and audio files only.</li>
        </ol>
      </Disclosure>
      <Disclosure title="“Zoom authorization failed. Please reconnect Zoom and try again.”">
        <ol>
          <li>The consent at Zoom was withdrawn, or has ended.</li>
          <li>Your administrator connects Zoom again in Host Management, with the same Zoom account.</li>
        </ol>
      </Disclosure>
      <Disclosure title="Connecting Zoom fails">
        <ol>
          <li>“Email mismatch”: the Zoom account's email address is not the host's. Sign out at Zoom first.</li>
          <li>“Zoom access was denied”: press Allow on Zoom's page.</li>
          <li>Nothing opens: allow pop-up windows for this site, and press Connect Zoom again.</li>
          <li>“OAuth timeout”: the window was open for too long. Start again.</li>
          <li>In a company's Zoom account an administrator may have to approve the app at Zoom first.</li>
        </ol>
      </Disclosure>
      <Disclosure title="Something else">
        <p>
          Reload the page, and search the <Link to="/documentation">documentation</Link>. Then write to us as above.
        </p>
      </Disclosure>
    </>
  )
}
