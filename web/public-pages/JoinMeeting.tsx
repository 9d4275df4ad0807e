import { IconPhoneCall } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { ButtonLink } from '../ui/Button.tsx'
import { joinTarget, tryApp } from './join-meeting.ts'

type JoinMeetingProps = { storeUrl: string; className?: string }

/** Opens the phone app where it is installed, else the place to get it. */
export function JoinMeeting({ storeUrl, className }: JoinMeetingProps) {
  const { href, scheme } = joinTarget(navigator.userAgent, storeUrl)

  function handleClick(event: MouseEvent) {
    if (!scheme) return
    event.preventDefault()
    tryApp(scheme, storeUrl, window)
  }

  return (
    <ButtonLink
      className={className}
      size="md"
      href={href}
      icon={<IconPhoneCall size={19} stroke={1.75} aria-hidden="true" />}
      onClick={handleClick}
    >
      Join a Meeting
    </ButtonLink>
  )
}
