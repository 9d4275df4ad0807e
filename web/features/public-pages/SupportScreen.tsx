import { Link } from 'react-router'
import { site } from '../../lib/site.ts'
import { MailLink, PhoneLink } from './Contact.tsx'
import { Faq } from './Faq.tsx'
import { TextScreen } from './TextScreen.tsx'
import { Troubleshooting } from './Troubleshooting.tsx'

const SLA = [
  ['Critical', 'A meeting cannot take place, or no one can log in', '2-4 hours'],
  ['High', 'Something important does not work, with no way around it', '4-8 hours'],
  ['Standard', 'Something does not work, and there is a way around it', '8-24 hours'],
  ['General', 'Questions and feature requests', '24-48 hours'],
]

export function SupportScreen() {
  return (
    <TextScreen
      title="Support"
      lead={
        <>
          Most answers are on this page and in the <Link to="/documentation">documentation</Link>. For the rest, write
          or call.
        </>
      }
    >
      <h2 id="contact">Contact</h2>
      <ul>
        {site.support_email ? (
          <li>
            By e-mail: <MailLink />, answered in 24-48 hours.
          </li>
        ) : null}
        {site.support_phone ? (
          <li>
            By phone: <PhoneLink />, in business hours.
          </li>
        ) : null}
        <li>Business hours: Monday to Friday 9-18 IST, Saturday 10-14 IST.</li>
      </ul>
      <p>
        It helps us to know your Host ID (like H000001), what you did, what you saw, and at what time. Never send a
        password.
      </p>
      <p>
        If you are in a host's room, ask your host first: your login, your phone and the room are in the host's hands.
      </p>

      <h2 id="sla">Response times (SLA)</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Urgency</th>
            <th scope="col">For example</th>
            <th scope="col">Answer within</th>
          </tr>
        </thead>
        <tbody>
          {SLA.map(([urgency, example, time]) => (
            <tr key={urgency}>
              <td>{urgency}</td>
              <td>{example}</td>
              <td>{time}</td>
            </tr>
          ))}
        </tbody>
      </table>

      <h2 id="faq">Frequently asked questions (FAQ)</h2>
      <Faq />

      <h2 id="troubleshooting">Troubleshooting</h2>
      <p>Find what you see, and try in this order.</p>
      <Troubleshooting />
    </TextScreen>
  )
}
