import type { CredentialsOfMany } from '../../../../shared/room-users.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { phoneLink } from '../../../widgets/invitation/phone-link.ts'
import classes from './SignInCards.module.css'

type SignInCardProps = { title: string; hostId: string; login: CredentialsOfMany['credentials'][number] }

/** A card for one user. The labels are those of the phone app's sign-in page. */
export function SignInCard({ title, hostId, login }: SignInCardProps) {
  return (
    <li className={classes.card}>
      <QrCode text={phoneLink(hostId)} label="QR code of the sign-in page" className={classes.picture} />
      <h3 className={classes.title}>
        <PersonText text={title} wraps />
      </h3>
      <dl className={classes.facts}>
        <dt>Host ID</dt>
        <dd className={classes.code}>{hostId}</dd>
        <dt>Username</dt>
        <dd className={classes.name}>
          <PersonText text={login.username} wraps />
        </dd>
        <dt>Password</dt>
        <dd className={classes.code} dir="ltr">
          {login.password}
        </dd>
      </dl>
      <ol className={classes.steps}>
        <li>
          Point your phone’s camera at the code, or open this address in its browser:{' '}
          <span dir="ltr">{phoneLink(hostId)}</span>
        </li>
        <li>Sign in with these details.</li>
        <li>Tap Join, then Join Audio.</li>
      </ol>
      <p className={classes.steps}>The first phone you use becomes your phone.</p>
    </li>
  )
}
