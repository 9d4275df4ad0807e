import { IconBrandGooglePlay, IconPhoneCall } from '@tabler/icons-react'
import { site } from '../../lib/site.ts'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { Audiences } from './landing/Audiences.tsx'
import { HowItWorks } from './landing/HowItWorks.tsx'
import classes from './landing/landing.module.css'
import { SchemePicture } from './landing/SchemePicture.tsx'
import { TryIt } from './landing/TryIt.tsx'

const ROOM =
  'The Online page of a host: two users want to speak and wait in a numbered queue. Each user is a tile with a colour, an icon and a word: red speaks or wants to, green has the speaker on, yellow listens.'

export function LandingScreen() {
  const { play_store_url: storeUrl } = site
  return (
    <div className={classes.landing}>
      <section className={classes.hero}>
        <div>
          <h1>Your trusted digital companion</h1>
          <p className={classes.lead}>
            Parley runs large audio-only meetings on Zoom. You see who is there, who speaks and who wants to, and keep
            the room in order from one page.
          </p>
          <div className={classes.buttons}>
            <ButtonLink size="large" look={storeUrl ? 'default' : 'filled'} className={classes.onComputers} href="#how">
              See how it works
            </ButtonLink>
            <ButtonLink
              look="filled"
              size="large"
              className={classes.onPhones}
              href={site.phone_url}
              icon={IconPhoneCall}
            >
              Join a Meeting
            </ButtonLink>
            <ButtonLink size="large" className={classes.onPhones} href={`${site.host_url}/login`}>
              Login
            </ButtonLink>
            {storeUrl ? (
              <ButtonLink
                look="filled"
                size="large"
                className={classes.store}
                href={storeUrl}
                rel="noreferrer"
                icon={IconBrandGooglePlay}
              >
                Get it on Google Play
              </ButtonLink>
            ) : (
              <Button size="large" className={classes.store} icon={IconBrandGooglePlay} off>
                Google Play: there is no Android app yet
              </Button>
            )}
          </div>
          <p>An independent tool, not affiliated with Zoom.</p>
        </div>
        <div className={classes.frame}>
          <SchemePicture name="room" width={680} height={573} narrow={{ width: 390, height: 573 }} alt={ROOM} isFirst />
        </div>
      </section>
      <Audiences />
      <HowItWorks />
      <TryIt />
    </div>
  )
}
