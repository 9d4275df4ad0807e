import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../lib/api-client.ts'
import { useNewLink } from '../../lib/use-new-link.ts'
import { makeCalendarLink, plannedMeetings, useRemoveCalendarLink } from '../../queries/planned-meetings.ts'
import { confirm } from '../../ui/confirm.tsx'
import { copyMessage } from '../../ui/copy-message.ts'
import { CancelButton, Dialog, ModalFooter } from '../../ui/Dialog.tsx'
import { formatMoment } from '../../ui/format-date.ts'
import { Notice } from '../../ui/Notice.tsx'
import { SteadyButton } from '../../ui/SteadyButton.tsx'
import { toast } from '../../ui/toast.tsx'

/** Makes the link to which calendar programs subscribe, and removes it. */
export function CalendarLinkDialog({ onClose }: { onClose: () => void }) {
  const madeAt = useQuery(plannedMeetings).data?.calendar_link_made_at ?? null
  const { link: url, error, isMaking, make, forget } = useNewLink(makeCalendarLink, plannedMeetings.queryKey)
  const remove = useRemoveCalendarLink()
  const hasLink = madeAt !== null || url !== null
  const isBusy = isMaking || remove.isPending

  async function handleRemove() {
    const question = {
      title: 'Remove the calendar link?',
      body: 'Calendars that subscribed to it are no longer updated.',
      confirmLabel: 'Remove',
      danger: true,
    }
    if (!(await confirm(question))) return
    forget()
    remove.mutate(undefined, {
      onSuccess: ({ message }) => toast.success(message ?? 'Removed'),
      onError: (failure) => toast.error(messageOf(failure, 'Failed to remove the link')),
    })
  }

  return (
    <Dialog onClose={onClose} title="Calendar link" busy={isBusy} styles={{ body: { padding: 0 } }}>
      <Stack px="lg" pb="lg" gap="sm">
        <Text>
          Calendar programs that subscribe to this link show the planned meetings, and follow every change. Anyone who
          has it sees when the room meets, and its name; no user and no password.
        </Text>
        <div role="status">
          {url === null ? null : (
            <Group align="flex-end" gap="xs">
              <TextInput
                label="Link"
                inputWrapperOrder={['label', 'description', 'input']}
                description="Works until it is removed or replaced. It is shown only now."
                value={url}
                readOnly
                flex="1 1 16rem"
                onFocus={(event) => event.currentTarget.select()}
              />
              <Button onClick={() => void copyMessage(url, 'Link copied')}>Copy link</Button>
            </Group>
          )}
        </div>
        {url === null && madeAt !== null ? (
          <Text>
            A link works that was made on {formatMoment(madeAt)}. It cannot be shown again: a new one replaces it, and
            calendars with the old one are no longer updated.
          </Text>
        ) : null}
        {error === null ? null : (
          <Notice tone="bad">{messageOf(error, 'Failed to make the link. Please try again.')}</Notice>
        )}
      </Stack>
      <ModalFooter>
        <Group justify="flex-end" gap="xs">
          <SteadyButton
            variant="default"
            c={hasLink ? 'var(--bad)' : undefined}
            mr="auto"
            off={!hasLink || isMaking}
            busy={remove.isPending}
            onClick={() => void handleRemove()}
          >
            Remove link
          </SteadyButton>
          <CancelButton disabled={isBusy}>Close</CancelButton>
          <SteadyButton variant={hasLink ? 'default' : 'filled'} off={remove.isPending} busy={isMaking} onClick={make}>
            {hasLink ? 'Make a new link' : 'Make link'}
          </SteadyButton>
        </Group>
      </ModalFooter>
    </Dialog>
  )
}
