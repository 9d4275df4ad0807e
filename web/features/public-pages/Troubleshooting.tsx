import { Link } from 'react-router'
import { Disclosure } from './Disclosure.tsx'

/** By what one sees, not by what is behind it. */
export function Troubleshooting() {
  return (
    <>
      <Disclosure title="I cannot log in as a host">
        <ol>
          <li>Log in on the host site, under LOGIN, with the username that your administrator gave you.</li>
          <li>Press the eye beside the password and look whether it is right. Capital letters count.</li>
          <li>
            “Your subscription has been cancelled”: your administrator has ended it, and can reverse this by extending
            it.
          </li>
          <li>After several wrong passwords Parley makes you wait. Try again after the time that it names.</li>
          <li>A forgotten password cannot be read back. Your administrator can set a new one.</li>
        </ol>
      </Disclosure>
      <Disclosure title="One of my people cannot sign in on the phone">
        <ol>
          <li>
            Compare the three fields: Host ID, username and password. Copy credentials on Users Master gives you all
            three.
          </li>
          <li>
            “This account is linked to another phone”: on Users Master open the menu of that person and choose Switch
            phone. The next phone to sign in becomes the new one.
          </li>
          <li>Status S: the person was deactivated. Activate it again.</li>
          <li>Look at the subscription box in the menu: without an active subscription no phone can sign in.</li>
          <li>On Host Master, see whether your room was stopped (S). Activate it (A).</li>
        </ol>
      </Disclosure>
      <Disclosure title="A person is in the room, but not on the Online page">
        <ol>
          <li>A phone without network shows as offline after at most 30 seconds, and comes back by itself.</li>
          <li>The person may have joined by Zoom's own app. Only the phone app with your Host ID shows on the page.</li>
          <li>Press Refresh. It also clears phones that have gone without saying so.</li>
        </ol>
      </Disclosure>
      <Disclosure title="I muted a person who can still be heard">
        <ol>
          <li>
            The tile shows whether the phone has confirmed. A phone that has just lost its network falls silent when it
            comes back.
          </li>
          <li>See whether the person is in the meeting by Zoom's own app too. Parley mutes the phone app.</li>
          <li>Log the person out on the Online page. The phone then leaves the meeting.</li>
        </ol>
      </Disclosure>
      <Disclosure title="The Online page says that it is not up to date">
        <ol>
          <li>Your browser cannot reach Parley. Look at your own network first.</li>
          <li>The page tries again by itself, and its buttons come back when it is live.</li>
          <li>If it stays so, load the page again.</li>
        </ol>
      </Disclosure>
      <Disclosure title="There are no recordings">
        <ol>
          <li>
            Cloud recording must be enabled in your Zoom account, with an audio-only file. It needs a paid Zoom plan.
          </li>
          <li>Recording must be on for your account in Parley. Your administrator sees it.</li>
          <li>Zoom needs some minutes, after a long meeting some hours, before a recording is complete.</li>
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
          <li>“Email mismatch”: the Zoom account has another e-mail address than the host. Log out at Zoom first.</li>
          <li>“Zoom access was denied”: press Allow on Zoom's page.</li>
          <li>Nothing opens: allow pop-up windows for this site, and press Connect Zoom again.</li>
          <li>“OAuth timeout”: the window was open for too long. Begin again.</li>
          <li>In a company's Zoom account an administrator may have to approve the app at Zoom first.</li>
        </ol>
      </Disclosure>
      <Disclosure title="Something else">
        <p>
          Load the page again, and look into the <Link to="/documentation">documentation</Link>, which can be searched.
          Then write to us as above.
        </p>
      </Disclosure>
    </>
  )
}
