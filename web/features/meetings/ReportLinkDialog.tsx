import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useMemo, useState } from 'react'
import type { MeetingSummary } from '../../../shared/meetings.ts'
import { type MakeReportLink, REPORT_LINK_DAYS, type ReportLink } from '../../../shared/report-links.ts'
import { messageOf } from '../../lib/api-client.ts'
import { useNewLink } from '../../lib/use-new-link.ts'
import { makeReportLink, reportLinks, useEndReportLink } from '../../queries/meetings.ts'
import { copyMessage } from '../../ui/copy-message.ts'
import { CancelButton, Dialog, ModalFooter } from '../../ui/Dialog.tsx'
import { formatMoment } from '../../ui/format-date.ts'
import { LineList, ListLine } from '../../ui/LineList.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { SteadyButton } from '../../ui/SteadyButton.tsx'
import { toast } from '../../ui/toast.tsx'
import { useClickGuard } from '../../ui/use-click-guard.ts'
import { useFocusNeighbour } from '../../ui/use-focus-neighbour.ts'
import classes from './meetings.module.css'

const DAYS = REPORT_LINK_DAYS.map((days) => ({ value: `${days}`, label: days === 1 ? '1 day' : `${days} days` }))

const MAKE_ID = 'make-report-link'

/** Makes a link to a report that needs no sign-in, and ends those that are open. */
export function ReportLinkDialog({ meeting, onClose }: { meeting: MeetingSummary; onClose: () => void }) {
  const [days, setDays] = useState<MakeReportLink['days']>(7)
  const [withNote, setWithNote] = useState(false)
  const query = reportLinks(meeting.id)
  const links = useQuery(query).data
  const made = useNewLink((signal) => makeReportLink(meeting.id, { days, with_note: withNote }, signal), query.queryKey)
  const keepsFocus = useFocusNeighbour(MAKE_ID)

  const [ended, setEnded] = useState<string[]>([]) // another link that was just made stays in sight
  const shown = made.link && !ended.includes(made.link.link.id) ? made.link : null

  return (
    <Dialog
      onClose={onClose}
      title="Share this report by link"
      className={classes.sharing}
      busy={made.isMaking}
      styles={{ body: { padding: 0 } }}
    >
      <Stack ref={keepsFocus} px="lg" pb="lg" gap="md">
        <Text>
          Anyone who has the link reads this report without signing in, with the names of your users, until the link
          ends. It shows no recording, no phone, no account, and nothing that you or an assistant did.
        </Text>
        <NativeSelect
          label="The link ends after"
          data={DAYS}
          value={`${days}`}
          onChange={(event) => setDays(REPORT_LINK_DAYS.find((one) => `${one}` === event.currentTarget.value) ?? 7)}
        />
        {meeting.note ? (
          <Checkbox
            label="Show my note too"
            checked={withNote}
            onChange={(event) => setWithNote(event.currentTarget.checked)}
          />
        ) : null}
        <div role="status">
          {shown === null ? null : (
            <Group align="flex-end" gap="xs">
              <TextInput
                label="Link"
                inputWrapperOrder={['label', 'description', 'input']}
                description="It is shown only now."
                value={shown.url}
                readOnly
                flex="1 1 16rem"
                onFocus={(event) => event.currentTarget.select()}
              />
              <Button onClick={() => void copyMessage(shown.url, 'Link copied')}>Copy link</Button>
            </Group>
          )}
        </div>
        {made.error === null ? null : (
          <Notice tone="bad">{messageOf(made.error, 'Failed to make the link. Please try again.')}</Notice>
        )}
        {links && links.length > 0 ? (
          <OpenLinks meeting={meeting.id} links={links} onEnded={(id) => setEnded((others) => [...others, id])} />
        ) : null}
      </Stack>
      <ModalFooter>
        <Group justify="flex-end" gap="xs">
          <CancelButton disabled={made.isMaking}>Close</CancelButton>
          <SteadyButton id={MAKE_ID} busy={made.isMaking} onClick={made.make}>
            Make link
          </SteadyButton>
        </Group>
      </ModalFooter>
    </Dialog>
  )
}

type OpenLinksProps = { meeting: string; links: ReportLink[]; onEnded: (id: string) => void }

function OpenLinks({ meeting, links, onEnded }: OpenLinksProps) {
  const end = useEndReportLink(meeting)
  const ids = useMemo(() => links.map(({ id }) => id), [links])
  const isMeant = useClickGuard(ids)
  const handleEnd = (id: string) =>
    end.mutate(id, {
      onSuccess: () => {
        onEnded(id)
        toast.success('The link has ended')
      },
      onError: (error) => toast.error(messageOf(error, 'Failed to end the link')),
    })
  return (
    <section aria-label="Open links">
      <Text fw={600} mb="xs">
        Open links
      </Text>
      <LineList>
        {links.map(({ id, made_by, created_at, expires_at, with_note }) => (
          <ListLine
            key={id}
            words={
              <>
                <Text>Ends {formatMoment(expires_at)}</Text>
                <Text size="sm" c="dimmed">
                  Made {formatMoment(created_at)}
                  {made_by ? ` by ${made_by}` : ''}
                  {with_note ? ', with the note' : ''}
                </Text>
              </>
            }
          >
            <SteadyButton
              variant="default"
              c="var(--bad)"
              aria-label={`End the link made ${formatMoment(created_at)}`}
              busy={end.isPending && end.variables === id}
              onClick={(event: MouseEvent) => {
                if (isMeant(id, event)) handleEnd(id)
              }}
            >
              End
            </SteadyButton>
          </ListLine>
        ))}
      </LineList>
    </section>
  )
}
