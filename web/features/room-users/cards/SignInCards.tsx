import { Box, Button, Group, Text } from '@mantine/core'
import { IconCopy, IconPrinter } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { BULK_LIMIT, type CredentialsOfMany, type RoomUser } from '../../../../shared/room-users.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { site } from '../../../lib/site.ts'
import { fetchCredentialsOfMany } from '../../../queries/room-users.ts'
import { BatchPicker } from '../../../ui/BatchPicker.tsx'
import { Loading } from '../../../ui/base/Loading.tsx'
import { CancelButton, Dialog, ModalFooter } from '../../../ui/Dialog.tsx'
import { Failed } from '../../../ui/Failed.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { PrintedOnly } from '../../../ui/PrintedOnly.tsx'
import { toast } from '../../../ui/toast.tsx'
import { credentialsText } from '../../../widgets/invitation/credentials-text.ts'
import { SignInCard } from './SignInCard.tsx'
import classes from './SignInCards.module.css'

/** Shows the credentials of these users as text, or on cards to print and hand out. The credentials are not cached. */
export function SignInCards({ users, onClose }: { users: readonly RoomUser[]; onClose: () => void }) {
  const [all] = useState(() => users.map(({ id }) => id)) // a copy, since polls keep changing the list
  const [from, setFrom] = useState(0)
  const ids = useMemo(() => all.slice(from, from + BULK_LIMIT), [all, from])
  const { cards, error, retry } = useCredentials(ids)
  const count = all.length === 1 ? '1 user' : `${all.length.toLocaleString('en')} users`

  async function copyAll({ credentials, host_id, ...names }: CredentialsOfMany) {
    const texts = credentials.map((login) =>
      credentialsText({ host_id, ...login }, titleOf(names), site.play_store_url),
    )
    try {
      await copyText(Promise.resolve(texts.join('\n\n----------\n\n')))
      toast.success('Credentials copied to clipboard')
    } catch {
      toast.error('Failed to copy credentials')
    }
  }

  return (
    <Dialog onClose={onClose} title={`Sign-in cards for ${count}`} size="60rem" styles={{ body: { padding: 0 } }}>
      <Box px="lg">
        <BatchPicker from={from} size={BULK_LIMIT} total={all.length} onFrom={setFrom} />
      </Box>
      {error ? (
        <Failed error={error} onRetry={retry}>
          {messageOf(error, 'The passwords could not be fetched. Please try again.')}
        </Failed>
      ) : cards ? (
        <>
          <Box px="lg">
            <Text size="sm" c="dimmed">
              Print the cards, cut them apart, and hand them out; or copy them as text. Viewing these passwords is
              recorded in the log.
            </Text>
            {cards.failed.length > 0 ? (
              <Notice tone="warn" mt="sm">
                {cards.failed.length === 1
                  ? '1 of the selected users no longer exists.'
                  : `${cards.failed.length} of the selected users no longer exist.`}
              </Notice>
            ) : null}
            <Cards cards={cards} />
          </Box>
          <PrintedOnly>
            <Cards cards={cards} />
          </PrintedOnly>
          <ModalFooter>
            <Group justify="flex-end" gap="xs">
              <CancelButton>Close</CancelButton>
              <Button
                variant="default"
                leftSection={<IconCopy size={17} aria-hidden="true" />}
                onClick={() => void copyAll(cards)}
              >
                Copy all
              </Button>
              <Button leftSection={<IconPrinter size={17} aria-hidden="true" />} onClick={() => window.print()}>
                Print
              </Button>
            </Group>
          </ModalFooter>
        </>
      ) : (
        <Loading label="Loading passwords..." />
      )}
    </Dialog>
  )
}

function Cards({ cards }: { cards: CredentialsOfMany }) {
  return (
    <ul className={classes.cards} aria-label="Sign-in cards">
      {cards.credentials.map((login) => (
        <SignInCard key={login.id} title={titleOf(cards)} hostId={cards.host_id} login={login} />
      ))}
    </ul>
  )
}

function titleOf({ app_title, room_name }: Pick<CredentialsOfMany, 'app_title' | 'room_name'>): string {
  return app_title ?? room_name
}

/** The credentials exist only in the open dialog. */
function useCredentials(ids: readonly string[]) {
  const [attempt, setAttempt] = useState(0)
  const [result, setResult] = useState<{ cards?: CredentialsOfMany; error?: unknown }>({})

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt fetches again
  useEffect(() => {
    const closing = new AbortController()
    setResult({})
    const show = (next: typeof result) => {
      if (!closing.signal.aborted) setResult(next)
    }
    fetchCredentialsOfMany(ids, closing.signal).then(
      (cards) => show({ cards }),
      (error: unknown) => show({ error }),
    )
    return () => closing.abort()
  }, [ids, attempt])

  function retry() {
    setAttempt(attempt + 1)
  }
  return { ...result, retry }
}
