import { Box, Button, Group, Text } from '@mantine/core'
import { IconCopy, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { RoomUser } from '../../../shared/room-users.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { ownRoom } from '../../queries/own-profile.ts'
import { plannedMeetings } from '../../queries/planned-meetings.ts'
import { BatchPicker } from '../../ui/BatchPicker.tsx'
import { copyMessage } from '../../ui/copy-message.ts'
import { CancelButton, Dialog, ModalFooter } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { PrintedOnly } from '../../ui/PrintedOnly.tsx'
import { usePrinting } from '../../ui/use-printing.ts'
import { InvitationCard } from './InvitationCard.tsx'
import classes from './invitation.module.css'
import { INVITATION_LIMIT, type Invitation, invitationText, nextMeetingText } from './invitation-text.ts'
import { OneTimeLink } from './OneTimeLink.tsx'
import { SendButtons } from './SendButtons.tsx'

/** Shows invitation cards to copy, share or print. They hold no password. */
export function InvitationDialog({ users, onClose }: { users: readonly RoomUser[]; onClose: () => void }) {
  const [all] = useState(users) // a copy, since polls keep changing the list
  const [from, setFrom] = useState(0)
  const chosen = all.slice(from, from + INVITATION_LIMIT)
  const [first] = chosen
  const only = all.length === 1 ? first : undefined
  const isPrinting = usePrinting()
  const profile = useQuery(ownRoom)
  const host = profile.data
  const { data: planned } = useQuery(plannedMeetings) // the cards do without it until it is there
  const nextMeeting = nextMeetingText(planned?.next_meeting, serverNow())
  const invitations: Keyed[] = host
    ? chosen.map(({ id, username }) => ({ id, username, hostId: host.user_id, roomName: host.room_name, nextMeeting }))
    : []
  const texts = invitations.map(invitationText)
  const inactive = chosen.filter(({ is_active }) => !is_active).length

  return (
    <Dialog
      onClose={onClose}
      title={
        only ? (
          <>
            Invite <bdi>{only.username}</bdi>
          </>
        ) : (
          `Invite ${all.length.toLocaleString('en')} users`
        )
      }
      size={only ? '40rem' : '60rem'}
      styles={{ body: { padding: 0 }, title: { lineHeight: 1.3 } }}
    >
      {host ? (
        <>
          <Box px="lg">
            <Text size="sm" c="dimmed">
              {only
                ? 'Send or print this card. It has the Host ID and the username, but no password: give that to the user another way.'
                : 'Send each user a card, or print all of them. They have the Host ID and the username, but no password: give that to each user another way.'}
            </Text>
            <BatchPicker from={from} size={INVITATION_LIMIT} total={all.length} onFrom={setFrom} />
            {inactive > 0 ? (
              <Notice tone="warn" mt="sm">
                {only
                  ? 'This user is deactivated, and cannot sign in until you activate the user.'
                  : `${inactive} of these users cannot sign in until you activate them.`}
              </Notice>
            ) : null}
            <Cards invitations={invitations}>
              {(invitation) => (
                <SendButtons
                  of={`the invitation for ${invitation.username}`}
                  title={`Invitation to ${invitation.roomName}`}
                  text={invitationText(invitation)}
                  copied="Invitation copied to clipboard"
                />
              )}
            </Cards>
            {only ? <OneTimeLink user={only} /> : null}
          </Box>
          {isPrinting ? (
            <PrintedOnly>
              <Cards invitations={invitations} />
            </PrintedOnly>
          ) : null}
          <ModalFooter>
            <Group justify="flex-end" gap="xs">
              <CancelButton>Close</CancelButton>
              {only ? null : (
                <Button
                  variant="default"
                  px={{ base: 'sm', sm: 'md' }}
                  leftSection={<IconCopy size={17} aria-hidden="true" />}
                  onClick={() => void copyMessage(texts.join('\n\n----------\n\n'), 'Invitations copied to clipboard')}
                >
                  Copy all
                </Button>
              )}
              <Button
                px={{ base: 'sm', sm: 'md' }}
                leftSection={<IconPrinter size={17} aria-hidden="true" />}
                onClick={() => window.print()}
              >
                Print
              </Button>
            </Group>
          </ModalFooter>
        </>
      ) : (
        <NotLoaded
          query={profile}
          loading="Loading your Host ID..."
          text="Your Host ID could not be fetched. Check the connection, then try again."
        />
      )}
    </Dialog>
  )
}

type Keyed = Invitation & { id: string }

function Cards({
  invitations,
  children,
}: {
  invitations: readonly Keyed[]
  children?: (invitation: Invitation) => ReactNode
}) {
  return (
    <ul className={classes.cards} aria-label="Invitations">
      {invitations.map((invitation) => (
        <InvitationCard key={invitation.id} {...invitation}>
          {children ? (
            <Group gap="xs" mt="auto" pt={14}>
              {children(invitation)}
            </Group>
          ) : null}
        </InvitationCard>
      ))}
    </ul>
  )
}
