import { Button, Group, List, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BYTE_ORDER_MARK, csvLine } from '../../../../shared/csv.ts'
import { messageOf } from '../../../lib/api-client.ts'
import { saveCsv } from '../../../lib/download.ts'
import { ownProfile } from '../../../queries/own-profile.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { CheckedPerson } from './dry-run.ts'
import type { ImportReport } from './use-import.ts'

type ImportResultProps = { report: ImportReport; onRetry: () => void; onClose: () => void }

/** Reports an import, with the passwords, which no list shows later. */
export function ImportResult({ report, onRetry, onClose }: ImportResultProps) {
  const { added, failed, left } = report
  const unsure = report.unanswered?.people ?? []
  const [first, last] = [unsure[0], unsure.at(-1)]
  const client = useQueryClient()
  const logins = useMutation({
    mutationFn: () => client.ensureQueryData(ownProfile),
    onSuccess: ({ data }) => saveCsv('logins.csv', loginsCsv(data.user_id, added)),
    onError: (failure) =>
      toast.error(messageOf(failure, 'The sign-in details could not be downloaded. Please try again.')),
  })
  return (
    <Stack>
      {added.length > 0 ? (
        <Notice tone="good">
          {added.length === 1 ? '1 user was added.' : `${added.length.toLocaleString('en')} users were added.`}
        </Notice>
      ) : null}
      {first && last ? (
        <Notice tone="warn">
          {first === last
            ? `Line ${first.line}, ${first.user.username},`
            : `${unsure.length.toLocaleString('en')} rows (lines ${first.line} to ${last.line})`}{' '}
          may have been added, but the server did not answer. Trying again adds no user twice.
        </Notice>
      ) : null}
      {failed.length > 0 ? (
        <Notice tone="bad">
          {failed.length === 1 ? '1 row was not added:' : `${failed.length.toLocaleString('en')} rows were not added:`}
          <List mt={6} fz="inherit">
            {failed.slice(0, 20).map(({ person, message }) => (
              <List.Item key={person.line}>
                Line {person.line}, {person.user.username}: {message}
              </List.Item>
            ))}
            {failed.length > 20 ? <List.Item>and {(failed.length - 20).toLocaleString('en')} more</List.Item> : null}
          </List>
        </Notice>
      ) : null}
      {added.length > 0 ? (
        <Text>
          The file contains all passwords in plain text, including generated ones. Keep it where only you can read it.
          You can copy the password of one user later with Copy credentials.
        </Text>
      ) : null}
      <Group justify="flex-end" gap="xs">
        {added.length > 0 ? (
          <Button
            variant="default"
            leftSection={<IconDownload size={17} aria-hidden="true" />}
            loading={logins.isPending}
            data-autofocus
            onClick={() => logins.mutate()}
          >
            Download sign-in details
          </Button>
        ) : null}
        {left.length > 0 ? (
          <Button variant="default" onClick={onRetry}>
            {left.length === 1 ? 'Try this one again' : `Try these ${left.length.toLocaleString('en')} again`}
          </Button>
        ) : null}
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

const LOGIN_COLUMNS = ['username', 'user_id', 'password', 'reference'] as const

/** The credentials that each user types in the phone app. */
function loginsCsv(hostId: string, added: readonly CheckedPerson[]): string {
  const lines = added.map(({ user }) => csvLine([hostId, ...LOGIN_COLUMNS.map((column) => user[column] ?? null)]))
  return BYTE_ORDER_MARK + csvLine(['host_id', ...LOGIN_COLUMNS]) + lines.join('')
}
