import { site } from '../site.ts'
import { TextScreen } from './TextScreen.tsx'

const SLA = [
  ['Critical', '2-4 hours'],
  ['High', '4-8 hours'],
  ['Standard', '8-24 hours'],
  ['General', '24-48 hours'],
]

export function SupportScreen() {
  return (
    <TextScreen title="Support">
      {site.support_email ? (
        <p>
          By e-mail: <a href={`mailto:${site.support_email}`}>{site.support_email}</a>, answered in 24-48 hours.
        </p>
      ) : null}
      {site.support_phone ? (
        <p>
          By phone: <a href={`tel:${site.support_phone.replace(/[^+\d]/g, '')}`}>{site.support_phone}</a>, in business
          hours.
        </p>
      ) : null}
      <p>Business hours are Monday to Friday 9-18 IST, and Saturday 10-14 IST.</p>
      <h2>How soon we answer</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Urgency</th>
            <th scope="col">Answer within</th>
          </tr>
        </thead>
        <tbody>
          {SLA.map(([urgency, time]) => (
            <tr key={urgency}>
              <td>{urgency}</td>
              <td>{time}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Common questions</h2>
      <p>
        <strong>A user cannot sign in from a new phone.</strong> An account belongs to one phone. Its host can switch it
        on Users Master, and the new phone can then sign in.
      </p>
      <p>
        <strong>There are no recordings.</strong> Cloud recording must be enabled in the host's Zoom account, and a
        recording needs some minutes at Zoom before it can be played.
      </p>
      <p>
        <strong>I cannot log in as a host.</strong> Ask your administrator: the subscription may have been cancelled.
      </p>
    </TextScreen>
  )
}
