import { IconCircleDot, IconExternalLink, IconHelp, IconLogout, IconUsers, IconWifiOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../../ui/base/Button.tsx'
import { LightNotice } from '../../ui/base/LightNotice.tsx'
import screen from '../ui/Screen.module.css'
import { useTitle } from '../ui/Screen.tsx'
import { useSettledTaps } from '../ui/use-settled-taps.ts'
import { useTranslate } from '../words/language.ts'
import { AskedToSpeak } from './AskedToSpeak.tsx'
import { AudioStatusBar, AudioStatusDetail } from './AudioStatusBar.tsx'
import { buttonsOf, mustTapJoinAudio } from './audio-status.ts'
import { HostMessage } from './HostMessage.tsx'
import { LeaveSheet } from './LeaveSheet.tsx'
import { MeetingFrame } from './MeetingFrame.tsx'
import { NextMeetingLine } from './NextMeetingLine.tsx'
import { RoomActions } from './RoomActions.tsx'
import { RoomFacts } from './RoomFacts.tsx'
import { RoomHelp } from './RoomHelp.tsx'
import classes from './RoomScreen.module.css'
import type { RoomSession } from './room-session.ts'
import { Trouble } from './Trouble.tsx'
import { useConfirmBack } from './use-confirm-back.ts'
import { useMeeting, useRoomView } from './use-room.ts'
import { WordCards } from './WordCards.tsx'
import { ZoomAppSheet } from './ZoomAppSheet.tsx'

type RoomScreenProps = { session: RoomSession; isOld: boolean; onLeave: () => void; onSignOut: () => void }

export function RoomScreen({ session, isOld, onLeave, onSignOut }: RoomScreenProps) {
  const t = useTranslate()
  const view = useRoomView(session)
  const { container, turnSoundOn } = useMeeting(session)
  const [help, setHelp] = useState<'hear' | 'allow' | null>(null)
  const [sheet, setSheet] = useState<'leave' | 'zoom' | null>(null)
  const { login, state, sound, now, join_url } = view
  const mustTap = mustTapJoinAudio(sound)
  const people = now?.online ?? sound.people
  const title = login.app.user_title || login.room.room_name
  const heading = useTitle(view.is_tap_awaited ? t('room.tap_again') : title)
  useConfirmBack(() => {
    if (sheet) setSheet(null)
    else if (help) setHelp(null)
    else setSheet('leave')
  })
  const closeSheet = () => setSheet(null)
  const ignoreLateTap = useSettledTaps(buttonsOf(view))

  return (
    <div className={screen.screen} data-wide="">
      <main className={screen.main}>
        <AudioStatusBar view={view}>
          <WordCards
            words={state.words?.list}
            session={session}
            onRead={() => heading.current?.focus({ preventScroll: true })}
          />
        </AudioStatusBar>
        <header className={classes.top}>
          <h1 ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h1>
          <div className={classes.facts}>
            {people === null ? null : (
              <p className={classes.people}>
                <IconUsers size="1.2em" aria-hidden="true" /> {t('room.here', { count: Math.max(1, people) })}
              </p>
            )}
            <p role="status" className={classes.recording}>
              {sound.is_recording ? (
                <>
                  <IconCircleDot size="1.2em" aria-hidden="true" /> {t('room.recording')}
                </>
              ) : null}
            </p>
          </div>
        </header>
        <div className={`stack ${classes.columns}`}>
          <div className={`stack ${classes.column}`}>
            {mustTap ? null : <AudioStatusDetail view={view} />}
            <WeakMark isWeak={sound.is_weak} />
            <Trouble sound={sound} isOffline={view.connection === 'lost'} onSoundOn={turnSoundOn} />
            {sound.audio === 'on' || mustTap ? null : (
              <NextMeetingLine meeting={now ? now.next_meeting : login.room.next_meeting} />
            )}
            <MeetingFrame sound={sound} container={container} />
          </div>
          {help ? (
            <RoomHelp first={help} helpline={login.app.helpline} onRejoin={turnSoundOn} onBack={() => setHelp(null)} />
          ) : (
            <div className={`stack ${classes.column}`}>
              <RoomFacts view={view} />
              <HostMessage message={login.app.message} helpline={login.app.helpline} />
              <div className="stack">
                <Button icon={IconHelp} onClick={() => setHelp(sound.microphone === 'refused' ? 'allow' : 'hear')}>
                  {t(sound.microphone === 'refused' ? 'room.how_to_allow' : 'lobby.cannot_hear')}
                </Button>
                {join_url ? (
                  <Button icon={IconExternalLink} onClick={() => setSheet('zoom')}>
                    {t('room.zoom_app')}
                  </Button>
                ) : null}
                <Button icon={IconLogout} onClick={() => setSheet('leave')}>
                  {t('room.leave')}
                </Button>
              </div>
              {isOld ? <p className={classes.soft}>{t('room.new_version')}</p> : null}
            </div>
          )}
        </div>
        {mustTap && !state.asked_to_speak ? null : (
          <div
            className={screen.actions}
            data-edge={state.asked_to_speak ? undefined : ''}
            onClickCapture={ignoreLateTap}
          >
            {state.asked_to_speak ? (
              <AskedToSpeak view={view} session={session} onNotNow={() => void session.decline()} />
            ) : (
              <RoomActions view={view} session={session} />
            )}
          </div>
        )}
      </main>
      {sheet === 'leave' ? <LeaveSheet onLeave={onLeave} onSignOut={onSignOut} onClose={closeSheet} /> : null}
      {sheet === 'zoom' && join_url ? (
        <ZoomAppSheet
          joinUrl={join_url}
          onOpen={() => {
            closeSheet()
            void session.leaveSound() // else the phone plays it twice
          }}
          onClose={closeSheet}
        />
      ) : null}
    </div>
  )
}

function WeakMark({ isWeak }: { isWeak: boolean }) {
  const t = useTranslate()
  return (
    <div role="status" className={classes.marks}>
      {isWeak ? <LightNotice tone="warn" icon={IconWifiOff} title={t('room.weak')} /> : null}
    </div>
  )
}
