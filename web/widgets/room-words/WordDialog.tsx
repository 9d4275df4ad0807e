import { Checkbox, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { type StandingWord, WORD_MAX } from '../../../shared/room-words.ts'
import { ApiError, fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PersonText } from '../../ui/PersonText.tsx'
import { SteadyButton } from '../../ui/SteadyButton.tsx'
import { toast } from '../../ui/toast.tsx'
import { useReadyWords } from './ready-words.ts'
import { type Receiver, useSendWord } from './use-words.ts'
import { wordState } from './word-state.ts'
import classes from './words.module.css'

type WordDialogProps = {
  to: Receiver
  /** The word that stands there; undefined if the page does not know. */
  standing: StandingWord | null | undefined
  onClose: () => void
}

/** Sends a short line to all phones of the room, or to one. */
export function WordDialog({ to, standing, onClose }: WordDialogProps) {
  const id = useId()
  const [first] = useState(standing) // what the person decides by: if another word comes, the server refuses
  const [isOvertaken, setOvertaken] = useState(false)
  const seen = isOvertaken ? standing : first
  const { lines, noteUsed } = useReadyWords(to ? 'user' : 'room')
  const [text, setText] = useState('')
  const [rings, setRings] = useState(false)
  const [asks, setAsks] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const send = useSendWord(to)
  const trimmed = text.trim()

  function choose(line: string) {
    setText(line)
    if (line.endsWith('hear me?')) setAsks(true)
    field.current?.focus()
  }

  async function submit(event?: FormEvent) {
    event?.preventDefault()
    if (send.isPending) return
    if (trimmed === '') {
      setMissing(true)
      field.current?.focus()
      return
    }
    const expect = seen === undefined ? {} : { expect: { word: seen?.id ?? null } }
    try {
      const { targeted } = await send.mutateAsync({ text: trimmed, rings, asks, ...expect })
      noteUsed(trimmed)
      toast.success(sentText(to, targeted))
      onClose()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'state_changed') setOvertaken(true) // the next press knows of it
    }
  }

  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!event.repeat) void submit()
  }

  const problem = isMissing && trimmed === '' ? 'Enter a word' : (fieldErrorsOf(send.error).text ?? null)
  return (
    <Dialog
      title={to ? <>A word to {to.username}</> : 'A word to the room'}
      size="md"
      unsaved={trimmed !== '' && !lines.includes(trimmed)}
      busy={send.isPending}
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {seen ? (
            <Text size="sm" c="dimmed">
              Takes the place of “<PersonText text={seen.text} wraps />” ({wordState(seen)}).
            </Text>
          ) : null}
          <div>
            <Textarea
              ref={field}
              label={to ? 'What the phone shows' : 'What the phones show'}
              autosize
              minRows={2}
              maxRows={5}
              maxLength={WORD_MAX}
              value={text}
              error={problem}
              data-autofocus
              aria-describedby={`${id}-count`}
              onChange={({ currentTarget: { value } }) => setText(value.replaceAll(/\s*\n\s*/g, ' '))}
              onKeyDown={handleKey}
            />
            <Text id={`${id}-count`} className={classes.count}>
              {text.length} of {WORD_MAX} characters
            </Text>
          </div>
          <fieldset className={classes.ready}>
            <legend>Ready lines</legend>
            {lines.map((line) => (
              <button key={line} type="button" className={classes.line} onClick={() => choose(line)}>
                <bdi>{line}</bdi>
              </button>
            ))}
          </fieldset>
          <Checkbox
            label="Ring"
            description={to ? 'A short sound and a vibration.' : 'A short sound and a vibration on each phone.'}
            checked={rings}
            onChange={({ currentTarget }) => setRings(currentTarget.checked)}
          />
          <Checkbox
            label="Ask how well they hear"
            description="Two buttons below the word: I hear well, I hear badly."
            checked={asks}
            onChange={({ currentTarget }) => setAsks(currentTarget.checked)}
          />
          {send.error && !fieldErrorsOf(send.error).text ? (
            <Notice tone="bad" title={messageOf(send.error, 'Failed to send the word')} role="alert" />
          ) : null}
          <Group justify="flex-end" gap="sm">
            <CancelButton disabled={send.isPending} />
            <SteadyButton type="submit" busy={send.isPending} leftSection={<IconSend size={16} aria-hidden="true" />}>
              Send
            </SteadyButton>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

function sentText(to: Receiver, targeted: number): string {
  if (to) return targeted > 0 ? `Word sent to ${to.username}` : `${to.username} gets the word with the next visit`
  if (targeted === 0) return 'Word sent: it waits for those who come'
  return targeted === 1 ? 'Word sent to 1 phone' : `Word sent to ${targeted.toLocaleString('en')} phones`
}
