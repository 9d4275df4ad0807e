import {
  IconDeviceMobile,
  IconHeadphones,
  IconMicrophone,
  IconUser,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Login } from '../../../shared/phone/phone.ts'
import { Button } from '../../ui/base/Button.tsx'
import { CannotHear } from '../help/CannotHear.tsx'
import { KeepScreenOn } from '../help/KeepScreenOn.tsx'
import { Recordings } from '../recordings/Recordings.tsx'
import { HostMessage } from '../room/HostMessage.tsx'
import { NextMeetingLine } from '../room/NextMeetingLine.tsx'
import { recordingInAddress, removeRecordingFromAddress } from '../sign-in/address.ts'
import { RoomCard } from '../sign-in/RoomCard.tsx'
import { Screen } from '../ui/Screen.tsx'
import { UpdateNotice } from '../update/UpdateNotice.tsx'
import { useTranslate } from '../words/language.ts'
import classes from './Lobby.module.css'
import { MicrophoneTest } from './MicrophoneTest.tsx'

type LobbyProps = {
  login: Login
  isOld: boolean // a newer version of this page is available
  onJoin: () => void
  onSignOut: () => void
}

/** The screen before joining: the user, the room, and whether the phone is ready. */
export function Lobby({ login: { token, user, room, app }, isOld, onJoin, onSignOut }: LobbyProps) {
  const t = useTranslate()
  const [wanted, setWanted] = useState(() => recordingInAddress())
  const [page, setPage] = useState<'lobby' | 'test' | 'hear' | 'screen' | 'recordings'>(
    wanted === null ? 'lobby' : 'recordings',
  )
  useRecordingOpenedLater((id) => {
    setWanted(id)
    setPage('recordings')
  })
  const back = () => {
    removeRecordingFromAddress()
    setWanted(null)
    setPage('lobby')
  }
  if (page === 'recordings') return <Recordings key={wanted} token={token} wanted={wanted} onBack={back} />
  if (page === 'test') return <MicrophoneTest onBack={back} />
  if (page === 'hear') {
    return (
      <Screen title={t('hear.title')} onBack={back}>
        <CannotHear helpline={app.helpline} />
      </Screen>
    )
  }
  if (page === 'screen') {
    return (
      <Screen title={t('screen.title')} onBack={back}>
        <KeepScreenOn />
      </Screen>
    )
  }
  return (
    <Screen
      title={t('lobby.title')}
      actions={
        <>
          <Button look="filled" size="large" icon={IconVolume} onClick={onJoin}>
            {t('lobby.join')}
          </Button>
          <p className={classes.hint}>{t('lobby.join_hint')}</p>
        </>
      }
    >
      {isOld ? <UpdateNotice /> : null}
      <RoomCard roomName={room.room_name} title={app.user_title} logoUrl={app.logo_url} />
      <NextMeetingLine meeting={room.next_meeting} />
      <p className={classes.who}>
        <IconUser size="1.4em" aria-hidden="true" />
        <span>
          <span className={classes.soft}>{t('lobby.signed_in_as')}</span>
          <b dir="auto">{user.username}</b>
          {user.is_host ? <span>{t('lobby.host')}</span> : null}
        </span>
      </p>
      <HostMessage message={app.message} helpline={app.helpline} />
      <div className="stack">
        {room.shared_recordings ? (
          <Button icon={IconHeadphones} onClick={() => setPage('recordings')}>
            {t('lobby.recordings')}
          </Button>
        ) : null}
        <Button icon={IconMicrophone} onClick={() => setPage('test')}>
          {t('lobby.test')}
        </Button>
        <Button icon={IconVolumeOff} onClick={() => setPage('hear')}>
          {t('lobby.cannot_hear')}
        </Button>
        <Button icon={IconDeviceMobile} onClick={() => setPage('screen')}>
          {t('lobby.screen')}
        </Button>
      </div>
      <Button look="plain" onClick={onSignOut}>
        {t('lobby.sign_out')}
      </Button>
    </Screen>
  )
}

/** Opening a link while the page is open only changes the fragment. */
function useRecordingOpenedLater(onOpened: (id: string) => void) {
  useEffect(() => {
    const handleChange = () => {
      const id = recordingInAddress()
      if (id !== null) onOpened(id)
    }
    window.addEventListener('hashchange', handleChange)
    return () => window.removeEventListener('hashchange', handleChange)
  })
}
