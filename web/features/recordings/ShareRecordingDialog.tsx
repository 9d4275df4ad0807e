import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Recording } from '../../../shared/recordings.ts'
import { messageOf } from '../../lib/api-client.ts'
import { ownRoom } from '../../queries/own-profile.ts'
import { copyMessage } from '../../ui/copy-message.ts'
import { CancelButton, Dialog, ModalFooter } from '../../ui/Dialog.tsx'
import { formatMoment } from '../../ui/format-date.ts'
import { Notice } from '../../ui/Notice.tsx'
import { SteadyButton } from '../../ui/SteadyButton.tsx'
import { toast } from '../../ui/toast.tsx'
import { phoneLink } from '../../widgets/invitation/phone-link.ts'
import { useShareRecording } from './queries.ts'

const DAYS = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
]

type ShareRecordingDialogProps = { recording: Recording; onClose: () => void }

/** Lets the room's users hear a recording in the phone app for some days, and ends that. */
export function ShareRecordingDialog({ recording, onClose }: ShareRecordingDialogProps) {
  const [days, setDays] = useState('7')
  const share = useShareRecording()
  const hostId = useQuery(ownRoom).data?.user_id
  const { shared_until } = recording
  const isStopping = share.isPending && share.variables.days === null

  function send(wanted: number | null, done: string) {
    share.mutate({ id: recording.id, days: wanted }, { onSuccess: () => toast.success(done) })
  }

  return (
    <Dialog onClose={onClose} title="Share in the phone app" busy={share.isPending} styles={{ body: { padding: 0 } }}>
      <Stack px="lg" pb="lg" gap="sm">
        <Text fw={600} dir="auto">
          {recording.topic || recording.file_name}
        </Text>
        <Text>
          Users of your room find it in the phone app, under <b>Listen to recordings</b>, for as long as you choose, or
          until you stop it. The app offers no download, and only users of the room can hear it.
        </Text>
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            {shared_until ? 'Extend, from now, to' : 'For'}
          </Text>
          <SegmentedControl aria-label="How long" size="md" data={DAYS} value={days} onChange={setDays} />
        </Stack>
        <div role="status">
          {shared_until ? (
            <Stack gap="xs">
              <Text>Users can hear it until {formatMoment(shared_until)}.</Text>
              {hostId ? <RecordingLink url={`${phoneLink(hostId)}#recording=${recording.id}`} /> : null}
            </Stack>
          ) : null}
        </div>
        {share.error ? (
          <Notice tone="bad">{messageOf(share.error, 'That did not work. Please try again.')}</Notice>
        ) : null}
      </Stack>
      <ModalFooter>
        <Group justify="flex-end" gap="xs">
          <SteadyButton
            variant="default"
            c={shared_until ? 'var(--bad)' : undefined}
            mr="auto"
            off={!shared_until || (share.isPending && !isStopping)}
            busy={isStopping}
            onClick={() => send(null, 'Users can no longer hear it')}
          >
            Stop
          </SteadyButton>
          <CancelButton disabled={share.isPending}>Close</CancelButton>
          <SteadyButton
            variant={shared_until ? 'default' : 'filled'}
            off={isStopping}
            busy={share.isPending && !isStopping}
            onClick={() => send(Number(days), 'Users can hear it in the app')}
          >
            {shared_until ? 'Change' : 'Let users hear it'}
          </SteadyButton>
        </Group>
      </ModalFooter>
    </Dialog>
  )
}

function RecordingLink({ url }: { url: string }) {
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        label="Link to it"
        inputWrapperOrder={['label', 'description', 'input']}
        description="Opens it in the app, after the user has signed in."
        value={url}
        readOnly
        flex="1 1 16rem"
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button onClick={() => void copyMessage(url, 'Link copied')}>Copy link</Button>
    </Group>
  )
}
