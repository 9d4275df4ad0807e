import { Link } from 'react-router'
import { site } from '../../lib/site.ts'
import { MailLink, PhoneLink } from './Contact.tsx'
import { Faq } from './Faq.tsx'
import { TextScreen, type TextSection } from './TextScreen.tsx'
import { Troubleshooting } from './Troubleshooting.tsx'

const SLA = [
  ['Critical', 'A meeting cannot take place, or no one can sign in', '2-4 hours'],
  ['High', 'Something important does not work, with no way around it', '4-8 hours'],
  ['Standard', 'Something does not work, and there is a way around it', '8-24 hours'],
  ['General', 'Questions and feature requests', '24-48 hours'],
]

const PARTS: TextSection[] = [
  {
    id: 'contact',
    title: 'Contact',
    text: (
      <>
        <ul>
          {site.support_email ? (
            <li>
              By email: <MailLink />, answered in 24-48 hours.
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
          If you are a user of a room, ask its host first: your password, your phone and the room are up to the host.
        </p>
      </>
    ),
  },
  {
    id: 'sla',
    title: 'Response times (SLA)',
    text: (
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
    ),
  },
  { id: 'faq', title: 'Frequently asked questions (FAQ)', text: <Faq /> },
  {
    id: 'troubleshooting',
    title: 'Troubleshooting',
    text: (
      <>
        <p>Find what you see, and try the steps in order.</p>
        <Troubleshooting />
      </>
    ),
  },
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
      parts={PARTS}
    />
  )
}
