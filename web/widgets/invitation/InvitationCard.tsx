import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { PersonText } from '../../ui/PersonText.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import classes from './invitation.module.css'
import type { Invitation } from './invitation-text.ts'
import { phoneLink } from './phone-link.ts'

/** The steps into the room for one user. The button names are those of the phone app. */
export function InvitationCard({
  roomName,
  hostId,
  username,
  nextMeeting,
  children,
}: Invitation & { children?: ReactNode }) {
  const link = phoneLink(hostId)
  return (
    <li className={classes.card}>
      <h3 className={classes.room}>
        <PersonText text={roomName} wraps />
      </h3>
      <p className={classes.name}>
        Invitation for{' '}
        <Text component="strong" inherit fw={600} c="var(--text)">
          <PersonText text={username} wraps />
        </Text>
      </p>
      {nextMeeting ? <p className={classes.name}>Next meeting: {nextMeeting}</p> : null}
      <div className={classes.way}>
        <QrCode text={link} label={`QR code for ${link}`} className={classes.code} />
        <ol className={classes.steps}>
          <li>Open this link or scan the code with your phone’s camera.</li>
          <li>
            Sign in with Host ID <b dir="ltr">{hostId}</b>, username{' '}
            <b>
              <bdi>{username}</bdi>
            </b>
            , and the password that your host gave you.
          </li>
          <li>
            Tap <b>Join</b>, then <b>Join Audio</b>.
          </li>
        </ol>
      </div>
      <p className={classes.link} dir="ltr">
        {link}
      </p>
      {children}
    </li>
  )
}
