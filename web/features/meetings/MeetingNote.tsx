import { Group, Paper, Text, Textarea, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { MEETING_NOTE_MAX, MeetingNoteAnswer, type MeetingSummary } from '../../../shared/meetings.ts'
import { api, fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { Notice } from '../../ui/Notice.tsx'
import { SteadyButton } from '../../ui/SteadyButton.tsx'
import { toast } from '../../ui/toast.tsx'
import { useSaving, useUnsavedWork } from '../../ui/unsaved-work.tsx'
import { useToggleGuard } from '../../ui/use-click-guard.ts'

/** The words that the host keeps with a meeting. */
export function MeetingNote({ meeting }: { meeting: MeetingSummary }) {
  const [isEditing, setEditing] = useState(false)
  const wasEditing = useRef(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const heading = useId()
  const note = meeting.note ?? ''

  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  return (
    <Paper component="section" p="lg" aria-labelledby={heading}>
      <Group justify="space-between" mb={isEditing || note ? 'xs' : undefined}>
        <Title order={2} id={heading} fz="md">
          Note
        </Title>
        {isEditing ? null : (
          <SteadyButton
            ref={editButton}
            className="no-print"
            variant="default"
            size="xs"
            leftSection={<IconPencil size={15} aria-hidden="true" />}
            onClick={() => setEditing(true)}
          >
            {note ? 'Edit note' : 'Add a note'}
          </SteadyButton>
        )}
      </Group>
      {isEditing ? (
        <NoteForm id={meeting.id} saved={note} label={heading} onClose={() => setEditing(false)} />
      ) : (
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{note}</Text>
      )}
    </Paper>
  )
}

type NoteFormProps = { id: string; saved: string; label: string; onClose: () => void }

/** Shows what another console has saved since, before it can be replaced. */
function NoteForm({ id, saved, label, onClose }: NoteFormProps) {
  const [text, setText] = useState(saved)
  const [seen] = useState(saved)
  const isChanged = text.trim() !== saved
  const isOvertaken = isChanged && seen !== saved
  const isMeant = useToggleGuard(saved)
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: () =>
      api(MeetingNoteAnswer, 'PUT', `/host/meetings/${encodeURIComponent(id)}/note`, {
        note: text,
        expect: { note: saved }, // with the words that are shown here if they differ from those at first
      }),
    onSuccess: ({ message }) => toast.success(message ?? 'Note saved'),
    onError: (error) => toast.error(messageOf(error, 'The note could not be saved. Please try again.')),
    onSettled: () => client.invalidateQueries({ queryKey: ['meetings'] }),
  })
  useUnsavedWork(isChanged && !saving.isSuccess)
  useSaving(saving.isPending)

  function save(event: FormEvent) {
    event.preventDefault()
    if (isChanged) saving.mutate(undefined, { onSuccess: onClose })
    else onClose()
  }

  return (
    <form noValidate onSubmit={save}>
      <Textarea
        aria-labelledby={label}
        placeholder="What this meeting was about, for you and your managers"
        autosize
        autoFocus
        minRows={2}
        maxRows={12}
        maxLength={MEETING_NOTE_MAX}
        value={text}
        error={fieldErrorsOf(saving.error).note}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {isOvertaken ? (
        <Notice tone="warn" mt="xs" title="Someone else has changed this note">
          {saved ? `It is now: “${saved}”` : 'It is empty now.'}
        </Notice>
      ) : null}
      <Group gap="xs" mt="sm">
        <SteadyButton
          type="submit"
          busy={saving.isPending}
          onClick={(event) => {
            if (isOvertaken && !isMeant(event)) event.preventDefault() // it was meant for “Save note”
          }}
        >
          {isOvertaken ? 'Replace it with mine' : 'Save note'}
        </SteadyButton>
        <SteadyButton type="button" variant="default" off={saving.isPending} onClick={onClose}>
          Cancel
        </SteadyButton>
      </Group>
    </form>
  )
}
