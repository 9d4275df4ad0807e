import { site } from '../../../lib/site.ts'
import { Picture } from './Picture.tsx'
import { Chapter, Topic } from './Topic.tsx'

export function Rooms() {
  return (
    <Chapter id="rooms" title="Rooms Master">
      <Picture
        name="rooms"
        alt="Rooms Master: the room's name, how many users it has, its meeting ID and its password, and New passcode."
      />
      <p>
        Each host has one room. Here are its name, the number of its users, the meeting ID at Zoom and the meeting's
        password. A room without a name of its own is called like ROOM-1. A room that is not connected to Zoom has no
        meeting ID yet.
      </p>
      <Topic id="rooms-passcode" title="A new passcode">
        <p>
          Whoever knows the meeting's password can also come in with Zoom's own app. New passcode changes it at once,
          for instance when it was passed on. People who are in the meeting stay in it; phones get the new one by
          themselves when they next join.
        </p>
        <p>
          It also changes by itself, within about a minute, when you delete, deactivate or switch somebody: as soon as
          the meeting has ended, where one is running.
        </p>
      </Topic>
    </Chapter>
  )
}

export function Recordings() {
  return (
    <Chapter id="recordings" title="Cloud Recordings">
      <Picture
        name="recordings"
        alt="Cloud Recordings: a list with date, length, size and status, and Play, Download and Delete for each."
      />
      <p>
        The recordings of your room's meetings in the last 6 months, newest first, as audio files. Recording needs cloud
        recording to be enabled in your Zoom account, and to be on for your account in Parley, as it is unless your
        administrator turned it off.
      </p>
      <Topic id="recordings-play" title="Listen and download">
        <Picture name="recording-plays" alt="A recording plays: the player stands at the foot of the page." />
        <p>
          Play and Download are offered once a recording is completed. Until then it shows as processing: Zoom needs
          some minutes, after a long meeting longer. The player goes back and forth and plays faster; on the keyboard, K
          plays and pauses, J and L jump 15 seconds, and Escape closes it. A download shows how far it is, and can be
          stopped.
        </p>
      </Topic>
      <Topic id="recordings-delete" title="Delete">
        <p>
          Parley asks before it deletes. A recording goes to Zoom's trash first, from where it can be taken back for 30
          days: with Undo right after, later at Zoom. Tick several to delete them together; the answer says how many
          were moved to the trash, and how many failed.
        </p>
      </Topic>
      <Topic id="recordings-storage" title="Storage">
        <p>
          Up to the storage limit of your account, Parley keeps a copy of its own, so that a recording outlives its
          deletion at Zoom. At the limit nothing is lost at Zoom, but no new copies are made.
        </p>
      </Topic>
    </Chapter>
  )
}

export function AppInfo() {
  return (
    <Chapter id="app-info" title="App Info.">
      <Picture
        name="app-info"
        alt="App Info.: the Host ID, a password, a title, a helpline, a message and a logo address."
      />
      <p>What your people see in the phone app:</p>
      <ul>
        <li>User ID: your Host ID. Your people type it to log in. It cannot be changed.</li>
        <li>Password: for your own phone. You sign in to the app with your Host ID and this password.</li>
        <li>User title: the heading of the app.</li>
        <li>Helpline: the number that your people call for help.</li>
        <li>Message: a few words for everybody.</li>
        <li>Allow recording: whether the app may offer to record. It is on at first.</li>
        <li>
          Logo: the address of a picture, or a PNG, JPEG or WebP file to upload. Where your installation has no upload
          yet, it says “Coming Soon”.
        </li>
      </ul>
      <p>
        Beside the form, a phone shows what you type as your people would see it. Press Save changes. Phones show it at
        their next login.
      </p>
    </Chapter>
  )
}

export function HostMaster() {
  return (
    <Chapter id="host-master" title="Host Master: your own account">
      <Picture
        name="host-master"
        alt="Host Master: the own account with its room, its Zoom connection, and the actions S, A and C."
      />
      <p>
        Your own account, its room, its Zoom connection and its subscription. Three actions concern your room and phone:
      </p>
      <ul>
        <li>
          S, stop room: signs every phone in your room out, and refuses all until you activate it. You stay logged in
          here.
        </li>
        <li>A, activate room: lets phones in again.</li>
        <li>C, change phone: signs your own phone out; the next one that you sign in from becomes yours.</li>
      </ul>
    </Chapter>
  )
}

export function Attendance() {
  return (
    <Chapter id="attendance" title="Attendance">
      <Picture
        name="attendance"
        alt="Attendance: the days, how many came and did not, and who came, when and how long."
      />
      <p>
        See who attended, on the Dashboard, leads here: who came, when first and last, how often and for how long; who
        of your users did not come; and each visit. A visit counts from when a phone comes online until it leaves.
      </p>
      <p>Choose a day or a range of days, counted in UTC, and press Download CSV for a file of what is shown.</p>
    </Chapter>
  )
}

export function Downloads() {
  return (
    <Chapter id="downloads" title="Downloads">
      <Picture name="downloads" alt="Downloads: coming soon." />
      <p>
        A place for lists to download. It is coming soon, unless your installation has it already: then it gives your
        users, who attended, each visit, and who did what in your room, as files for a spreadsheet.
      </p>
    </Chapter>
  )
}

export function OnThePhone() {
  return (
    <Chapter id="phone" title="On the phone">
      <p>What you can tell your people:</p>
      <ol>
        <li>
          {site.play_store_url
            ? 'Get the app from Google Play. On a phone, Join a Meeting on the start page opens it.'
            : 'Get the app. It is not published yet; your host tells you as soon as it is.'}
        </li>
        <li>Type the Host ID, your username and your password, and press the button to log in.</li>
        <li>You listen. To say something, ask to speak: the host sees it, and lets you.</li>
        <li>You stay logged in for 30 days. If you get a new phone, tell your host.</li>
      </ol>
    </Chapter>
  )
}
