import { Disclosure } from './Disclosure.tsx'

export function Faq() {
  return (
    <>
      <Disclosure title="Do I need a Parley account if I have a Zoom account?">
        <p>
          Yes. The Parley account is a separate one. Your administrator creates it and connects it to your Zoom account.
        </p>
      </Disclosure>
      <Disclosure title="Do my users need a Zoom account?">
        <p>
          No. They need a phone with a current browser, the link to your room, and the username and password that you
          give them.
        </p>
      </Disclosure>
      <Disclosure title="Do my users have to install an app?">
        <p>
          No. The phone app is a page that opens in the phone's browser: Safari or another on an iPhone, Chrome or
          Samsung Internet on Android. To listen for long with the screen off, the Zoom app is better, but then you
          cannot mute the user from Parley.
        </p>
      </Disclosure>
      <Disclosure title="Does the sound go on when the phone's screen is locked?">
        <p>
          Not reliably. A page works for certain only while it is on the screen, so the phone app keeps the screen on
          during the meeting. When the user comes back, it connects again by itself, with the microphone off.
        </p>
      </Disclosure>
      <Disclosure title="Can a user have two phones?">
        <p>
          No. Only one device may be active in a meeting at a time. The first phone that signs in is remembered; to
          change it, choose Switch phone in the user's menu on Users Master.
        </p>
      </Disclosure>
      <Disclosure title="What does recording need?">
        <p>
          Cloud recording, enabled in your Zoom account. Recording is on for new hosts unless the administrator turns it
          off.
        </p>
      </Disclosure>
      <Disclosure title="Can I get a password back?">
        <p>
          Those of your users, yes: use Copy credentials on Users Master. No one can read your own, not even us; your
          administrator can set a new one.
        </p>
      </Disclosure>
      <Disclosure title="What happens when my subscription runs out?">
        <p>
          You can still sign in, but phones cannot join until it is extended. Users who are in the room may stay until
          they leave. The menu warns you when 7 days or fewer remain.
        </p>
      </Disclosure>
      <Disclosure title="What happens to my data when my account is removed?">
        <p>It is kept for 30 days, in which it can be restored, and then erased for good.</p>
      </Disclosure>
      <Disclosure title="Can my data be deleted immediately?">
        <p>Yes. Write to us from the email address of the account. Such a request is handled within 48 hours.</p>
      </Disclosure>
      <Disclosure title="Is Parley made by Zoom?">
        <p>No. It is an independent tool that uses Zoom's public API, and is not affiliated with Zoom.</p>
      </Disclosure>
    </>
  )
}
