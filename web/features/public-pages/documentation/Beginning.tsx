import { site } from '../../../lib/site.ts'
import { MailLink } from '../Contact.tsx'
import { Picture } from './Picture.tsx'
import { Chapter, Topic } from './Topic.tsx'

export function BeforeYouBegin() {
  return (
    <Chapter id="before" title="Before you begin">
      <p>
        Parley is for meetings in which many listen and few speak. You, the host, have one room. Your people join it
        from a phone app, and you keep order from this console: you see who is there, who speaks and who asks to, and
        you mute one or all.
      </p>
      <Topic id="before-needs" title="What you need">
        <ul>
          <li>
            A Parley account. It is a separate account, besides your Zoom account. Your administrator makes it and gives
            you a username and a password.
          </li>
          <li>
            A Zoom account of your own, which your administrator connects for you. For recordings it needs cloud
            recording to be enabled.
          </li>
          <li>A computer or a phone with a current browser: Chrome, Edge, Firefox or Safari.</li>
        </ul>
      </Topic>
      <Topic id="before-people" title="What your people need">
        <ul>
          <li>
            {site.play_store_url
              ? 'An Android phone with the app from Google Play. '
              : 'An Android phone with the Parley app, which is not published yet. '}
            They need no Zoom account and no e-mail address.
          </li>
          <li>Three things from you: the Host ID (like H000001), a username and a password.</li>
          <li>Only one device may be active in a meeting at a time, so each person has one phone for Parley.</li>
        </ul>
      </Topic>
      <Topic id="before-may" title="What a host can do">
        <ul>
          <li>Start meetings in the host's own room.</li>
          <li>Mute and unmute participants, one by one or all at once, and remove them.</li>
          <li>Manage the recordings of the room.</li>
          <li>Add users with username, email and password. The email is your own note, and may be left out.</li>
        </ul>
      </Topic>
    </Chapter>
  )
}

export function LoggingIn() {
  return (
    <Chapter id="login" title="Logging in">
      <Picture
        name="login"
        alt="The host login: a field for the username, one for the password, and the button Sign in."
      />
      <ol>
        <li>
          Open the host site: <a href={`${site.host_url}/login`}>{site.host_url}/login</a>.
        </li>
        <li>Type your username and your password. The eye shows what you typed.</li>
        <li>Press Sign in. You come to your dashboard, or to the page that you had asked for.</li>
      </ol>
      <Topic id="login-forgotten" title="A forgotten password">
        <p>Nobody can read your password, not even we. Your administrator can set a new one.</p>
      </Topic>
      <Topic id="login-how-long" title="How long you stay logged in">
        <p>
          For 12 hours at most, and 2 hours after you last did something. An open page that only watches does not count
          as doing something. Each browser tab has its own login; when you log out in one, its copies are logged out
          too. When the login has ended you are taken back to the login page.
        </p>
      </Topic>
      <Topic id="login-refused" title="When the login is refused">
        <ul>
          <li>“Login failed” or “Invalid username or password”: type both again, and mind Caps Lock.</li>
          <li>“Your subscription has been cancelled”: ask your administrator, who can extend it.</li>
          <li>After several wrong passwords you have to wait a while before the next try.</li>
        </ul>
        <p>
          More help: <MailLink />.
        </p>
      </Topic>
    </Chapter>
  )
}

export function FindingYourWay() {
  return (
    <Chapter id="around" title="Finding your way">
      <p>
        All pages are in the menu at the left. On a phone the menu opens by the button with three lines. On a computer
        the same button folds the menu to its icons.
      </p>
      <ul>
        <li>
          Search: press <kbd>/</kbd> or <kbd>Ctrl</kbd>+<kbd>K</kbd>, type a few letters of a page's name, and press{' '}
          <kbd>Enter</kbd>.
        </li>
        <li>The moon, or the sun, at the top right changes between light and dark colours.</li>
        <li>
          Below the menu stands your subscription: how many days remain, and a warning when it has 7 days or fewer left
          or has run out.
        </li>
        <li>What you have just done is confirmed at the top right, for 4 seconds.</li>
        <li>Log out, at the foot of the menu, ends your login here and at the server.</li>
      </ul>
      <p>
        Everything works without a mouse: <kbd>Tab</kbd> goes on, <kbd>Enter</kbd> presses, <kbd>Esc</kbd> closes.
        Colour never stands alone: there is always an icon or a word beside it.
      </p>
    </Chapter>
  )
}

export function Dashboard() {
  return (
    <Chapter id="dashboard" title="Dashboard">
      <Picture
        name="dashboard"
        alt="The dashboard: cards with the number of users, of those online and of rooms, and the room's name."
      />
      <p>
        The first page after logging in: how many users you have, how many of them are online, and your room with
        whether it is Active or Inactive. The numbers are fetched anew each time you come back to the page.
      </p>
      <p>
        If you see “Error Loading Dashboard”, Parley could not be reached. Load the page again; if that does not help,
        see Support.
      </p>
    </Chapter>
  )
}
