import { Chapter } from './Topic.tsx'

const NUMBERS = [
  ['Rooms of a host', 'one'],
  ['Devices of a person that may be active at a time', 'one'],
  ['Lists of users and of who is online', 'renewed every 500 ms'],
  ['A call without an answer is given up after', '15 seconds'],
  ['Messages at the top right', '4 seconds'],
  ['A form that has succeeded closes after', '2 seconds'],
  ['Subscription in the menu', 'up to 5 minutes old; warns at 7 days or fewer'],
  ['Name of the room on the Online page', 'up to 60 seconds old'],
  ['Subscriptions when a host is added, or extended', '1, 3 or 12 months'],
  ['Subscriptions when a host is edited', '1, 2, 3, 6 or 12 months'],
  ['Storage when a host is added', '1, 5, 10, 25, 50 or 100 GB, at first 5 GB'],
  ['Storage when a host is edited', '1 to 100 GB, at first 10 GB'],
  ['Password of an administrator', 'at least 8 characters'],
  ['Password of a new host', 'at least 6 characters'],
  ['Time to connect Zoom', '5 minutes when adding, 2 minutes when editing'],
  ['Recordings shown', 'audio files (M4A) of the last 6 months'],
  ['Login in the console', '12 hours, or 2 hours after you last did something'],
  ['Data after an account is removed', '30 days'],
  ['A request for immediate deletion', 'handled within 48 hours'],
  ['Notice before the terms change', '30 days'],
  ['Minimum age', '13 years'],
  ['Answers of support', 'e-mail in 24-48 hours, phone in business hours'],
]

export function Numbers() {
  return (
    <Chapter id="numbers" title="Numbers and limits">
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">How much</th>
          </tr>
        </thead>
        <tbody>
          {NUMBERS.map(([what, value]) => (
            <tr key={what}>
              <td>{what}</td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Chapter>
  )
}

export function Leaving() {
  return (
    <Chapter id="leaving" title="When an account is removed">
      <p>
        Nobody can log in any more, and all phones are signed out. The data is kept for 30 days, in case it was a
        mistake, and is then erased for good. If it is not to wait, write to support from the e-mail address of the
        account: a request to delete data immediately is handled within 48 hours.
      </p>
    </Chapter>
  )
}
