import {
  IconBrandGooglePlay,
  IconDeviceMobile,
  IconHandStop,
  IconMicrophoneOff,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { site } from '../../lib/site.ts'
import { Button, ButtonLink } from '../../ui/light/Button.tsx'
import { ConsolePicture } from './ConsolePicture.tsx'
import { JoinMeeting } from './JoinMeeting.tsx'
import classes from './LandingScreen.module.css'

const FEATURES = [
  {
    icon: IconHandStop,
    title: 'See who speaks, or asks to',
    text: 'Everyone in the room is a tile. It turns red the moment that person speaks or raises a hand.',
  },
  {
    icon: IconMicrophoneOff,
    title: 'Mute one, or all at once',
    text: 'From outside the meeting, in one click. Every phone confirms that it is muted.',
  },
  {
    icon: IconDeviceMobile,
    title: 'One person, one phone',
    text: 'People sign in with the login you gave them, on one registered phone each.',
  },
  {
    icon: IconPlayerPlay,
    title: 'Listen again',
    text: 'Recordings of your room, ready to play and to keep.',
  },
]

const playIcon = <IconBrandGooglePlay size={19} stroke={1.75} aria-hidden="true" />

export function LandingScreen() {
  const { play_store_url: storeUrl } = site
  return (
    <>
      <section className={classes.hero}>
        <div>
          <h1>Your trusted digital companion</h1>
          <p className={classes.lead}>
            Parley runs large audio-only meetings on Zoom. Hosts see who is on which phone, who speaks and who asks to,
            and keep the room in order from one page.
          </p>
          <div className={classes.buttons}>
            <JoinMeeting storeUrl={storeUrl} className={classes.onPhones} />
            <ButtonLink size="md" variant="default" className={classes.onPhones} href={`${site.host_url}/login`}>
              Login
            </ButtonLink>
            {storeUrl ? (
              <ButtonLink size="md" className={classes.store} href={storeUrl} rel="noreferrer" icon={playIcon}>
                Get it on Google Play
              </ButtonLink>
            ) : (
              <Button size="md" variant="default" className={classes.notYet} icon={playIcon} aria-disabled="true">
                Google Play: the Android app is not published yet
              </Button>
            )}
          </div>
          <p>An independent tool, not affiliated with Zoom.</p>
        </div>
        <ConsolePicture />
      </section>
      <ul className={classes.features}>
        {FEATURES.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon size={24} stroke={1.6} aria-hidden="true" />
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
