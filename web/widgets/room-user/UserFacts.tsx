import { Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import type { UserGroup } from '../../../shared/user-groups.ts'
import { shortDeviceId } from '../../lib/short-device-id.ts'
import { userHistory } from '../../queries/room-users.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { formatDay, formatMoment } from '../../ui/format-date.ts'
import { PersonText } from '../../ui/PersonText.tsx'
import { GroupChips, groupsOf } from '../user-groups/GroupChips.tsx'
import { microphoneReason } from './microphone-words.ts'
import { platformName } from './platform-name.ts'
import { soundWords } from './sound-words.ts'
import { spokenTime } from './spoken-words.ts'
import { UnusedSignInLink } from './UnusedSignInLink.tsx'
import { ZoomNames } from './ZoomNames.tsx'

export function FactsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} fz="xs" fw={600} c="dimmed" mt="0.8125rem" mb={6}>
        {title}
      </Title>
      {children}
    </section>
  )
}

/** The user's present state, and its phone. */
export function UserFacts({ user, groups }: { user: RoomUser; groups: readonly UserGroup[] }) {
  const own = groupsOf(user, groups)
  const { data: history } = useInfiniteQuery(userHistory(user.id))
  const { created_at, device_bound_at } = history?.pages[0] ?? {}
  return (
    <>
      <FactsSection title="Now">
        <Facts>
          <Fact label="In the room">{voiceWords(user)}</Fact>
          <Fact label="Zoom meeting">{meetingWords(user)}</Fact>
          {user.is_pinned ? <Fact label="Pinned">Mute All leaves this user as it is</Fact> : null}
          {user.spoken_ms > 0 ? <Fact label="Spoke in this meeting">{spokenTime(user.spoken_ms)}</Fact> : null}
          <Fact label="Last seen">
            {user.is_online ? 'Now' : user.last_seen ? formatMoment(user.last_seen) : 'Never'}
          </Fact>
          <Fact label="Reference">{user.reference ? <PersonText text={user.reference} wraps /> : null}</Fact>
          {own.length > 0 ? (
            <Fact label="Groups">
              <GroupChips groups={own} />
            </Fact>
          ) : null}
          <Fact label="Added">{created_at ? formatDay(created_at) : '–'}</Fact>
        </Facts>
        <ZoomNames user={user} />
      </FactsSection>
      <FactsSection title="Phone">
        {user.device_id ? (
          <Facts>
            <Fact label="Model">{[user.device_model, platformName(user)].filter(Boolean).join(', ')}</Fact>
            <Fact label="App version">{user.app_version}</Fact>
            <Fact label="Device ID">
              <Text component="span" inherit ff="monospace" title={user.device_id}>
                {shortDeviceId(user.device_id)}
              </Text>
            </Fact>
            <Fact label="Bound since">{device_bound_at ? formatMoment(device_bound_at) : 'Not known'}</Fact>
            <Fact label="Signed in">{user.login_time ? formatMoment(user.login_time) : 'Never'}</Fact>
          </Facts>
        ) : (
          <Text size="sm" c="dimmed">
            No phone yet. The first phone to sign in is linked to this user.
          </Text>
        )}
        <UnusedSignInLink user={user} />
      </FactsSection>
    </>
  )
}

function voiceWords(user: RoomUser): string {
  if (!user.is_online) return user.is_muted ? 'Not online; muted by the host' : 'Not online'
  if (user.asleep) return 'Online, the phone is not answering'
  if (user.is_speaking) return 'Speaking'
  if (user.wants_to_speak) return 'Wants to speak'
  const noSound = soundWords(user)
  if (noSound) return user.is_muted ? `${noSound}; muted by the host` : noSound
  const noVoice = microphoneReason(user.microphone)
  if (noVoice) return user.is_muted ? `${noVoice}; muted by the host` : noVoice
  if (user.is_muted) return 'Muted by the host'
  if (user.asked_to_speak) return 'Asked to speak, speaker off'
  return user.speaker_on ? 'Listening, speaker on' : 'Listening, speaker off'
}

function meetingWords({ in_meeting, is_online }: RoomUser): string {
  if (in_meeting === null) return 'The room has no Zoom meeting'
  if (in_meeting) return 'In the meeting'
  return is_online ? 'Only in the app' : 'Not in the meeting'
}
