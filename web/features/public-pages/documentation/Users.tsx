import { Picture } from './Picture.tsx'
import { Chapter, Topic } from './Topic.tsx'

const STATUSES = [
  ['Online', 'The phone is signed in and connected.'],
  ['Active', 'The person may sign in, and is not online.'],
  ['S', 'Stopped: you deactivated the person, who cannot sign in until you activate again.'],
  ['C', 'Phone changed: you switched the person, and no new phone has signed in yet.'],
]

export function Users() {
  return (
    <Chapter id="users" title="Users Master: your people">
      <Picture
        name="users"
        alt="Users Master: the number of users, online and inactive, a filter, and the list with the actions of each."
      />
      <p>
        The list of everybody who may join your room. It renews itself twice a second, so who comes online shows at
        once. Above it are how many there are, how many are online and how many inactive; press a number to see only
        those. The filter finds people by username, user ID or reference. Export saves what is shown, or who is ticked,
        as a file for a spreadsheet, without the passwords.
      </p>

      <Topic id="users-add" title="Add somebody">
        <Picture name="add-user" alt="The form Add User: username, user ID, password and reference." />
        <ol>
          <li>Press Add User.</li>
          <li>Type a username: what the person types to log in, and the name on the tile.</li>
          <li>
            The User ID is offered as the next free one, like U000001. You may write another, of 3 to 32 characters.
          </li>
          <li>Type a password, or let Parley make one.</li>
          <li>The reference is a note for yourself, such as who introduced the person. It may stay empty.</li>
          <li>Press Add User. “User created successfully” confirms it.</li>
        </ol>
        <p>Username and User ID must each be different from all others in your room, whatever their capital letters.</p>
      </Topic>

      <Topic id="users-import" title="Add many at once">
        <Picture name="import-users" alt="The form Import users: a field for the rows of a spreadsheet, and a file." />
        <ol>
          <li>Press Import, and paste the rows of a spreadsheet, or choose a CSV file.</li>
          <li>
            One person to a line, in the columns username, user ID, password, reference; a first line with these names
            may put them in another order. Only the username is needed: the rest is made up.
          </li>
          <li>
            Press Check the list. Each row shows whether it would be added, and if not, why. Nothing is added yet.
          </li>
          <li>Press Add. Rows with a fault are left out.</li>
          <li>Download logins saves the Host ID, usernames and passwords, to be handed out.</li>
        </ol>
        <p>Export saves the list, or those who are ticked, as a CSV file. It holds no passwords.</p>
      </Topic>

      <Topic id="users-credentials" title="Give somebody the login">
        <p>
          Press Copy credentials in the person's row, and paste them into a message: it says what to do, with the Host
          ID, username and password. You can do so again at any time; each time is recorded.
        </p>
      </Topic>

      <Topic id="users-edit" title="Change a name or a password">
        <p>
          Press Edit. Leave the password empty to keep the present one. A new password signs the phone out; the person
          logs in again with the new one.
        </p>
      </Topic>

      <Topic id="users-switch" title="Somebody has a new phone">
        <p>
          The first phone that a person signs in from is remembered, and no other is let in: the app then says “This
          account is linked to another phone. Ask your host to switch it.” Choose Switch phone in the person's menu. The
          old phone is signed out, and the next one that signs in becomes the new one.
        </p>
      </Topic>

      <Topic id="users-status" title="What the status means">
        <table>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {STATUSES.map(([status, meaning]) => (
              <tr key={status}>
                <td>{status}</td>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          The list also tells when somebody logged in, the phone's platform and model, and the version of the app. A
          long device ID is shortened to its first 8 characters.
        </p>
      </Topic>

      <Topic id="users-stop" title="Keep somebody out, or remove somebody">
        <ul>
          <li>Deactivate signs the phone out at once and refuses it until you choose Activate.</li>
          <li>Log out, offered while the person is online, only signs the phone out. It may come back.</li>
          <li>Delete removes the person at once and for good.</li>
        </ul>
      </Topic>

      <Topic id="users-bulk" title="Several people at once">
        <p>
          Tick them, or all that the filter shows, and choose above the list, on a phone under Actions: activate,
          deactivate, mute, unmute, log out, switch phone or delete. It is done to those whom it concerns, such as Log
          out to those who are online. “Please select users first” means that nobody is ticked.
        </p>
      </Topic>
    </Chapter>
  )
}
