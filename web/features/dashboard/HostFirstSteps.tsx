import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { FirstSteps } from '../../../shared/dashboard.ts'
import type { Room } from '../../../shared/rooms.ts'
import { Steps } from '../../ui/Steps.tsx'
import { StartMeetingButton } from '../../widgets/meeting/StartMeetingButton.tsx'

type HostFirstStepsProps = { done: FirstSteps; room: Room | undefined }

/** Guides a new host to the first meeting. */
export function HostFirstSteps({ done, room }: HostFirstStepsProps) {
  const { has_users, has_sent_logins } = done
  const hasZoom = room?.zoom_status === 'connected'
  return (
    <Steps
      title="Your first meeting"
      steps={[
        {
          title: 'Add users',
          text: 'One by one, or many at once from a list. Each gets a username and a password.',
          isDone: has_users,
          action: <ToUsers to="/host/users" label="Add users" isNext={!has_users} />,
        },
        {
          title: 'Send them their sign-in details',
          text: 'Copy the details of each user on Users Master, and send them. The user signs in with the phone app.',
          isDone: has_users && has_sent_logins,
          action: has_users ? (
            <ToUsers to="/host/users?show=never-signed-in" label="Copy sign-in details" isNext={!has_sent_logins} />
          ) : undefined,
        },
        {
          title: 'Start the meeting',
          text:
            room && !hasZoom
              ? 'You start it here once Zoom is connected to your room.'
              : 'It opens in Zoom. Users hear you once they have tapped Join and Join Audio.',
          isDone: false,
          action: hasZoom ? (
            <StartMeetingButton size="sm" variant={has_users && has_sent_logins ? 'filled' : 'default'} />
          ) : undefined,
        },
      ]}
    />
  )
}

function ToUsers({ to, label, isNext }: { to: string; label: string; isNext: boolean }) {
  return (
    <Button component={Link} to={to} variant={isNext ? 'filled' : 'default'}>
      {label}
    </Button>
  )
}
