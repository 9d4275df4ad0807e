import { site } from '../../../lib/site.ts'
import { Picture } from './Picture.tsx'
import { Chapter, Topic } from './Topic.tsx'

export function Administrators() {
  return (
    <Chapter id="administrators" title="For administrators">
      <p>
        Administrators, called masters, make the hosts' accounts. They log in on the master site, under Admin Panel:{' '}
        <a href={`${site.master_url}/master-login`}>{site.master_url}/master-login</a>, with their e-mail address and a
        password of at least 8 characters.
      </p>
      <Picture
        name="master-login"
        alt="The login of administrators: a field for the e-mail address, one for the password."
      />
      <Topic id="administrators-hosts" title="Host Management">
        <Picture
          name="hosts"
          alt="Host Management: how many hosts there are, are active, online and connected to Zoom, a search, and the list."
        />
        <p>
          All hosts, with their contact, Zoom connection, subscription and state. The search finds them by username,
          e-mail or mobile. Show narrows the list, to those whose subscription ends within 7 or 30 days for instance, or
          whose Zoom needs a new connection. A press on a column's name sorts by it; Export CSV saves what is found.
        </p>
        <p>The four buttons of a row are View, Edit, Manage subscription and Delete.</p>
      </Topic>
      <Topic id="administrators-view" title="View a host">
        <Picture
          name="host-details"
          alt="Host Details: the account, the subscription, the room and its Zoom connection, the storage and the phone."
        />
        <p>
          Everything that is known of the host, to read only: account, subscription, room, Zoom, storage and phone, and
          what was changed when and by whom.
        </p>
      </Topic>
      <Topic id="administrators-add" title="Add a host">
        <Picture name="add-host" alt="The form Add New Host Account, with the button Connect Zoom." />
        <ol>
          <li>Press Add New Host. E-mail, username and a password of at least 6 characters are needed.</li>
          <li>Mobile and room name may stay empty; the room is then called like ROOM-1.</li>
          <li>Choose the storage limit: 1, 5, 10, 25, 50 or 100 GB. At first it is 5 GB.</li>
          <li>Choose a subscription of 1, 3 or 12 months. Recording is on unless you turn it off.</li>
          <li>
            To connect Zoom now, press Connect Zoom after typing the host's e-mail address. It can be done later too.
          </li>
          <li>Press Add Host.</li>
        </ol>
      </Topic>
      <Topic id="administrators-zoom" title="Connect Zoom">
        <p>
          Connect Zoom opens Zoom's page in a window of its own, 600 by 700 points. Log in there with the very e-mail
          address of the host, and press Allow. The window closes by itself, and the form says that Zoom is connected.
          It waits 5 minutes when a host is added, and 2 minutes when one is edited. If nothing opens, allow pop-up
          windows for this site.
        </p>
        <p>
          If the Zoom account lacks something, such as cloud recording, the host's row says what to change at Zoom.
          Disconnect in the Edit form takes effect when the form is saved.
        </p>
      </Topic>
      <Topic id="administrators-edit" title="Edit a host">
        <Picture name="edit-host" alt="The form Edit Host: account, room, storage, Zoom and subscription." />
        <p>
          A password that stays empty is kept. The storage limit may be any number from 1 to 100 GB; it is 10 GB where
          nothing was set. The subscription can be extended or reduced by 1, 2, 3, 6 or 12 months, set to a date, or
          cancelled.
        </p>
      </Topic>
      <Topic id="administrators-subscriptions" title="Subscriptions">
        <Picture
          name="manage-subscription"
          alt="Manage Subscription: months to add, with the new end date, and Cancel."
        />
        <ul>
          <li>Manage Subscription adds 1, 3 or 12 months to the current period, or from today if it has run out.</li>
          <li>
            Cancelling prevents the host from logging in at once, and signs its people out. Extending later reverses it.
          </li>
          <li>To extend several hosts, tick them in the list and press Extend subscriptions.</li>
          <li>An expired host can log in, and its people cannot join.</li>
          <li>Months are calendar months: from 31 January one month leads to the last day of February.</li>
        </ul>
      </Topic>
      <Topic id="administrators-rooms" title="Host Master: all hosts and their rooms">
        <Picture
          name="all-hosts"
          alt="Host Master as a master sees it: all hosts, each with its room, its phone and the actions S, A and C."
        />
        <p>
          Host Master shows a master all hosts. S stops a host's room: its phones are signed out, and none is let in
          until A activates it again. C lets the host sign in from a new phone.
        </p>
      </Topic>
      <Topic id="administrators-delete" title="Delete a host, and bring one back">
        <p>
          Deleting ends all of the host's sessions and its Zoom connection at once and frees its name. The data is kept
          for 30 days, and is then erased for good. Show, Deleted lists the hosts of these days: Restore brings one
          back, and Purge erases its data at once. A request to delete data immediately is to be handled within 48
          hours.
        </p>
      </Topic>
    </Chapter>
  )
}
