import { IconDeviceMobile, IconMicrophone, IconUser, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { Login } from '../../../shared/phone/phone.ts'
import { Button } from '../../ui/base/Button.tsx'
import { CannotHear } from '../help/CannotHear.tsx'
import { KeepScreenOn } from '../help/KeepScreenOn.tsx'
import { HostMessage } from '../room/HostMessage.tsx'
import { NextMeetingLine } from '../room/NextMeetingLine.tsx'
import { RoomCard } from '../sign-in/RoomCard.tsx'
import { Screen } from '../ui/Screen.tsx'
import { UpdateNotice } from '../update/UpdateNotice.tsx'
import { useTranslate } from '../words/language.ts'
import classes from './Lobby.module.css'
import { MicrophoneTest } from './MicrophoneTest.tsx'

type LobbyProps = {
  login: Pick<Login, 'user' | 'room' | 'app'>
  isOld: boolean // a newer version of this page is available
  onJoin: () => void
  onSignOut: () => void
}

/** The screen before joining: the user, the room, and whether the phone is ready. */
export function Lobby({ login: { user, room, app }, isOld, onJoin, onSignOut }: LobbyProps) {
  const t = useTranslate()
  const [page, setPage] = useState<'lobby' | 'test' | 'hear' | 'screen'>('lobby')
  const back = () => setPage('lobby')
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
