import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { RoomUser } from '../../../../shared/room-users.ts'
import type { UserGroup } from '../../../../shared/user-groups.ts'
import { saveCsv } from '../../../lib/download.ts'
import { CancelButton, Dialog } from '../../../ui/Dialog.tsx'
import { useFocusBack } from '../../../ui/focus-back.ts'
import { CheckedPeople } from './CheckedPeople.tsx'
import { type CheckedPerson, dryRun } from './dry-run.ts'
import { ImportResult } from './ImportResult.tsx'
import { PERSON_COLUMNS, readPeople } from './read-people.ts'
import { useImport } from './use-import.ts'

/** A spreadsheet file with this many people has some hundred kilobytes. */
const PEOPLE_MAX = 5000

type ImportModalProps = {
  users: readonly RoomUser[]
  groups: readonly UserGroup[]
  nextUserId: string
  /** True if the list continues an interrupted import. */
  isContinued: boolean
  onClose: () => void
}

/** Adds many people from a list: checks the pasted text, adds the users, and reports the outcome. */
export function ImportModal({ users, groups, nextUserId, isContinued, onClose }: ImportModalProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [checked, setChecked] = useState<CheckedPerson[] | null>(null)
  const { run, retry, stop, done, report } = useImport()
  const isRunning = done !== null
  useFocusBack() // the dialogs follow one another, and the opener of the last is gone

  function handleCheck() {
    const people = readPeople(text)
    if (people.length === 0) return setProblem('This list is empty. Paste at least one line with a username.')
    if (people.length > PEOPLE_MAX) {
      const count = people.length.toLocaleString('en')
      return setProblem(
        `This list has ${count} users. Please import at most ${PEOPLE_MAX.toLocaleString('en')} at a time.`,
      )
    }
    setProblem(null)
    setChecked(dryRun(people, { users, groups, nextUserId }))
  }

  async function handleFile(file: File | null) {
    if (!file) return
    setText(await file.text())
    setProblem(null)
  }

  function handleRetry() {
    if (!report) return
    setChecked(report.left)
    void retry()
  }

  if (report) {
    return (
      <Dialog key="report" onClose={onClose} title="Import users" size="lg" centered closeOnClickOutside={false}>
        <ImportResult report={report} onRetry={handleRetry} onClose={onClose} />
      </Dialog>
    )
  }
  if (checked) {
    return (
      <Dialog
        key="check"
        onClose={isRunning ? stop : onClose}
        title="Import users"
        size="xl"
        centered
        closeOnClickOutside={false}
        unsaved={!isRunning}
      >
        <CheckedPeople
          checked={checked}
          groups={groups}
          isContinued={isContinued}
          done={done}
          onBack={() => setChecked(null)}
          onStop={stop}
          onAdd={run}
        />
      </Dialog>
    )
  }
  return (
    <Dialog key="list" onClose={onClose} title="Import users" size="lg" centered unsaved={text.trim() !== ''}>
      <Stack>
        <Text>
          Copy the rows of a spreadsheet and paste them here, or choose a CSV file. One user to a line, in the columns{' '}
          <b>username, user ID, password, reference, groups</b>; a first line with these names may put them in another
          order. Only the username is needed: a missing User ID is the next free one, and a missing password is
          generated. Names of groups are separated by semicolons; a new one is made. You will see a preview before
          anything is added.
        </Text>
        <Textarea
          label="Users"
          placeholder={'Amina Yusuf\nJoão Carvalho, U000120, lantern-07, Row 3'}
          autosize
          minRows={8}
          maxRows={14}
          spellCheck={false}
          data-autofocus
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13, whiteSpace: 'pre' } }}
          value={text}
          error={problem}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Group gap="xs" mr="auto">
            <FileButton accept=".csv,.tsv,.txt,text/csv,text/plain" onChange={(file) => void handleFile(file)}>
              {(props) => (
                <Button variant="default" leftSection={<IconFileUpload size={17} aria-hidden="true" />} {...props}>
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Button variant="subtle" onClick={() => saveCsv('users-to-import.csv', `${PERSON_COLUMNS.join(',')}\r\n`)}>
              Empty template
            </Button>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <CancelButton />
            <Button disabled={text.trim() === ''} onClick={handleCheck}>
              Check the list
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  )
}
