import { Badge, Box, Button, Group, Progress, Stack, Table, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { PersonText } from '../../../ui/PersonText.tsx'
import { type CheckedPerson, newGroups } from './dry-run.ts'

/** Rows with a fault come first, so the hidden rows are all alike unless more than this many are faulty. */
const SHOWN = 200

type CheckedPeopleProps = {
  checked: readonly CheckedPerson[]
  groups: readonly UserGroup[]
  /** The list continues an interrupted import: users who are in the room already are no fault then. */
  isContinued: boolean
  /** The number of users added so far; null unless an import is running. */
  done: number | null
  onBack: () => void
  onStop: () => void
  onAdd: (people: CheckedPerson[]) => void
}

/** Previews an import row by row, with the fault of each row that it would skip. */
export function CheckedPeople({ checked, groups, isContinued, done, onBack, onStop, onAdd }: CheckedPeopleProps) {
  const faulty = checked.filter(({ fault }) => fault !== null)
  const good = checked.filter(({ fault }) => fault === null)
  const shown = [...faulty, ...good].slice(0, SHOWN)
  const isRunning = done !== null
  const made = newGroups(checked, groups)
  const hasGroups = checked.some(({ user }) => user.groups && user.groups.length > 0)
  const present = isContinued ? checked.filter(({ isInRoom }) => isInRoom).length : 0

  return (
    <Stack>
      <Text role="status">
        {isContinued ? (
          <>
            <b>{people(good.length)}</b> {good.length === 1 ? 'is' : 'are'} left to add.
          </>
        ) : (
          <>
            <b>{people(good.length)}</b> will be added.
          </>
        )}
        {present > 0 ? (
          <>
            {' '}
            <b>{people(present)}</b> {present === 1 ? 'is' : 'are'} in your room already.
          </>
        ) : null}
        {faulty.length > present ? (
          <>
            {' '}
            <b>{rows(faulty.length - present)}</b> {faulty.length - present === 1 ? 'has a problem' : 'have problems'}{' '}
            and will be skipped.
          </>
        ) : null}
        {made.length > 0 ? (
          <>
            {' '}
            New {made.length === 1 ? 'group' : 'groups'}: <b>{made.join(', ')}</b>.
          </>
        ) : null}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard */}
      <section className="scroll-box" tabIndex={0} aria-label="The list as it would be added" data-autofocus>
        <Table stickyHeader fz="xs" verticalSpacing={7} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Line</Table.Th>
              <Table.Th scope="col">Username</Table.Th>
              <Table.Th scope="col">Result</Table.Th>
              <Table.Th scope="col">User ID</Table.Th>
              <Table.Th scope="col">Password</Table.Th>
              <Table.Th scope="col">Reference</Table.Th>
              {hasGroups ? <Table.Th scope="col">Groups</Table.Th> : null}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ line, user, isGenerated, fault, isInRoom }) => (
              <Table.Tr key={line} bg={fault === null || (isContinued && isInRoom) ? undefined : 'var(--bad-soft)'}>
                <Table.Td>{line}</Table.Td>
                <Table.Td fw={600} miw="9rem">
                  <PersonText text={user.username} wraps />
                </Table.Td>
                <Table.Td miw="15rem">
                  {fault === null ? (
                    <Badge color="good" leftSection={<IconCheck size={13} />}>
                      Will be added
                    </Badge>
                  ) : isContinued && isInRoom ? (
                    <Badge color="quiet">In your room already</Badge>
                  ) : (
                    <Group gap={6} wrap="nowrap" align="flex-start" fw={600} c="var(--bad)">
                      <IconAlertTriangle size={15} stroke={1.9} style={{ flex: 'none' }} aria-hidden="true" />
                      {fault}
                    </Group>
                  )}
                </Table.Td>
                <Table.Td>{user.user_id || '–'}</Table.Td>
                <Table.Td>
                  {fault !== null ? (
                    '–'
                  ) : isGenerated ? (
                    <Text span inherit c="dimmed">
                      generated
                    </Text>
                  ) : (
                    '••••••'
                  )}
                </Table.Td>
                <Table.Td>{user.reference ? <PersonText text={user.reference} wraps /> : '–'}</Table.Td>
                {hasGroups ? (
                  <Table.Td>
                    {user.groups && user.groups.length > 0 ? <PersonText text={user.groups.join(', ')} wraps /> : '–'}
                  </Table.Td>
                ) : null}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {checked.length > shown.length ? (
        <Text c="dimmed">and {(checked.length - shown.length).toLocaleString('en')} more rows</Text>
      ) : null}
      {isRunning ? (
        <Box role="status">
          Added {done.toLocaleString('en')} of {good.length.toLocaleString('en')}
          <Progress value={(done / Math.max(1, good.length)) * 100} aria-label="Import" mt={6} />
        </Box>
      ) : null}
      <Group justify="flex-end" gap="xs">
        {isRunning ? (
          <Button variant="default" onClick={onStop}>
            Stop
          </Button>
        ) : (
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        )}
        <Button disabled={good.length === 0} loading={isRunning} onClick={() => onAdd(good)}>
          Add {people(good.length)}
        </Button>
      </Group>
    </Stack>
  )
}

const rows = (count: number) => (count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`)
const people = (count: number) => (count === 1 ? '1 user' : `${count.toLocaleString('en')} users`)
