import { IconPhoneCall } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import { Button, ButtonLink } from '../../ui/light/Button.tsx'
import { joinTarget, tryApp } from './join-meeting.ts'

type JoinMeetingProps = { storeUrl: string; className: string | undefined }

/** Opens the phone app where it is installed, else the place to get it; while there is none it says so. */
export function JoinMeeting({ storeUrl, className }: JoinMeetingProps) {
  const [isAsked, setAsked] = useState(false)
  if (storeUrl) return <OpenApp storeUrl={storeUrl} className={className} />
  return (
    <>
      <Button className={className} size="md" icon={icon} onClick={() => setAsked(true)}>
        Join a Meeting
      </Button>
      <span role="status">{isAsked ? 'To join you need the phone app, which is not published yet.' : null}</span>
    </>
  )
}

const icon = <IconPhoneCall size={19} stroke={1.75} aria-hidden="true" />

function OpenApp({ storeUrl, className }: JoinMeetingProps) {
  const { href, scheme } = joinTarget(navigator.userAgent, storeUrl)

  function handleClick(event: MouseEvent) {
    if (!scheme) return
    event.preventDefault()
    tryApp(scheme, storeUrl, window)
  }

  return (
    <ButtonLink className={className} size="md" href={href} icon={icon} onClick={handleClick}>
      Join a Meeting
    </ButtonLink>
  )
}
