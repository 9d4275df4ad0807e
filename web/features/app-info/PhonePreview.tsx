import { IconEar, IconHandStop, IconMicrophone, IconPhone, IconPlayerRecordFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { isOwnLogo } from './own-logo.ts'
import classes from './PhonePreview.module.css'

type PhonePreviewProps = {
  userTitle: string
  helpline: string
  message: string
  logoUrl: string
  allowRecording: boolean
}

/** What is being typed, as a phone would show it. */
export function PhonePreview({ userTitle, helpline, message, logoUrl, allowRecording }: PhonePreviewProps) {
  const title = userTitle.trim() || 'Parley'
  const [initial = ''] = title.toUpperCase() // a whole character, where an emoji is two
  const [missingUrl, setMissingUrl] = useState('')
  return (
    <figure className={classes.figure}>
      <div className={classes.phone} data-testid="phone-preview">
        <span className={classes.speaker} aria-hidden="true" />
        <div className={classes.screen}>
          <div className={classes.head}>
            {isOwnLogo(logoUrl) && logoUrl !== missingUrl ? (
              <img
                className={classes.logo}
                src={logoUrl}
                alt="Your logo"
                width={48}
                height={48}
                onError={() => setMissingUrl(logoUrl)}
              />
            ) : (
              <span className={classes.letter} aria-hidden="true">
                {initial}
              </span>
            )}
            <p className={classes.title}>{title}</p>
          </div>
          {message.trim() ? <p className={classes.message}>{message.trim()}</p> : null}
          <div className={classes.room} aria-hidden="true">
            <span className={classes.listening}>
              <IconEar size={26} stroke={1.5} />
            </span>
            You are listening
          </div>
          <div className={classes.controls} aria-hidden="true">
            <span>
              <IconMicrophone size={20} stroke={1.75} />
            </span>
            <span>
              <IconHandStop size={20} stroke={1.75} />
            </span>
            {allowRecording ? (
              <span className={classes.record}>
                <IconPlayerRecordFilled size={18} />
              </span>
            ) : null}
          </div>
          <p className={classes.helpline}>
            <IconPhone size={15} stroke={1.75} aria-hidden="true" />
            {helpline.trim() ? `Helpline ${helpline.trim()}` : 'No helpline'}
          </p>
        </div>
      </div>
      <figcaption className={classes.caption}>
        How your people's phones would show it
        {logoUrl !== '' && !isOwnLogo(logoUrl) ? '. A logo at another address shows on phones only' : ''}.
      </figcaption>
    </figure>
  )
}
