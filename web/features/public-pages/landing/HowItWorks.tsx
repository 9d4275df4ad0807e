import classes from './landing.module.css'
import { SchemePicture } from './SchemePicture.tsx'

const STEPS = [
  {
    title: 'Add your users',
    text: 'Type a name, or import a list of thousands. Each user gets a username and a password to sign in with.',
    picture: {
      name: 'add',
      width: 354,
      height: 482,
      alt: 'The form Add User: a username, the user ID U000041, a password with the button Generate, and a reference.',
    },
  },
  {
    title: 'They join by phone',
    text: 'They open your link in their phone’s browser and sign in: no app to install, no Zoom account. To speak, they raise a hand.',
    picture: {
      name: 'phone',
      width: 296,
      height: 506,
      alt: 'The phone app: the title of the room, a message from the host, and buttons for the microphone and the hand.',
    },
  },
  {
    title: 'You keep order',
    text: 'Mute one user or everyone who uses the phone app in one press, from outside the meeting. Every phone confirms that it is muted.',
    picture: {
      name: 'mute',
      width: 420,
      height: 573,
      alt: 'The Online page on a phone during Mute All: each user is a tile, muted; one may speak, one has raised a hand.',
    },
  },
]

export function HowItWorks() {
  return (
    <section aria-labelledby="how">
      <h2 id="how">How it works</h2>
      <ol className={classes.steps}>
        {STEPS.map(({ title, text, picture }) => (
          <li key={title}>
            <div className={classes.frame}>
              <SchemePicture {...picture} />
            </div>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
