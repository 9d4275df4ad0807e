import { IconChartLine, IconMicrophone2, IconSchool, IconUsersGroup } from '@tabler/icons-react'
import classes from './landing.module.css'

const AUDIENCES = [
  {
    icon: IconMicrophone2,
    title: 'Talks',
    text: 'One voice, hundreds of listeners. Questions wait in a numbered queue until the speaker is ready for them.',
  },
  {
    icon: IconUsersGroup,
    title: 'Prayer and study circles',
    text: 'Audio only, so an older phone on a slow network is enough. Whose turn it is to read is never in doubt.',
  },
  {
    icon: IconChartLine,
    title: 'Trading rooms',
    text: 'Only the users you added get in, each on one registered phone. A shared password does not work on a second phone.',
  },
  {
    icon: IconSchool,
    title: 'Classes',
    text: 'Attendance shows who was there and for how long, and the recording is ready to play again.',
  },
]

export function Audiences() {
  return (
    <section className={classes.band} aria-labelledby="for">
      <h2 id="for">For rooms where many listen and few speak</h2>
      <ul className={classes.audiences}>
        {AUDIENCES.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon size={24} stroke={1.6} aria-hidden="true" />
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
