import { Badge, Box, Button, Group, NativeSelect, Paper, Text } from '@mantine/core'
import { IconUserPlus, IconUserShield } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ASSISTANTS_MAX, type Assistant } from '../../../shared/assistants.ts'
import { AssistantRole } from '../../../shared/auth.ts'
import { messageOf } from '../../lib/api-client.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { formatMoment, formatSince } from '../../ui/format-date.ts'
import { LineList, ListLine } from '../../ui/LineList.tsx'
import { NotLoaded } from '../../ui/NotLoaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PersonText } from '../../ui/PersonText.tsx'
import { toast } from '../../ui/toast.tsx'
import { type ClickGuard, useClickGuard } from '../../ui/use-click-guard.ts'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { AddAssistantDialog } from './AddAssistantDialog.tsx'
import { AssistantMenu } from './AssistantMenu.tsx'
import { InvitationLink } from './InvitationLink.tsx'
import { assistants, useEditAssistant, useNewLink, useRemoveAssistant } from './queries.ts'
import { ROLE_CHOICES } from './role-words.ts'

export function AssistantsScreen() {
  const query = useQuery(assistants)
  const [isAdding, setAdding] = useState(false)
  const list = query.data
  const isMeant = useClickGuard(list?.map(({ id }) => id) ?? [])
  const { heading, keepFocus } = useKeptFocus()
  const isFull = list !== undefined && list.length >= ASSISTANTS_MAX
  const addButton = (
    <Button
      leftSection={<IconUserPlus size={17} aria-hidden="true" />}
      disabled={list === undefined || isFull}
      onClick={() => setAdding(true)}
    >
      Add assistant
    </Button>
  )

  return (
    <Page
      title="Assistants"
      subtitle="They help you run the room, each with a sign-in of their own."
      actions={list && list.length > 0 ? addButton : null}
      heading={heading}
    >
      {list === undefined ? (
        <NotLoaded
          query={query}
          loading="Loading assistants..."
          title="Failed to load the assistants"
          text="The list could not be fetched. Check the connection, then try again."
        />
      ) : (
        <Paper p={list.length > 0 ? { base: 'md', sm: 'lg' } : 0}>
          {list.length === 0 ? (
            <Empty
              icon={<IconUserShield size={22} stroke={1.75} aria-hidden="true" />}
              hint="A moderator mutes and unmutes on the Online page. A manager also works with users and recordings."
              action={addButton}
            >
              No assistants yet
            </Empty>
          ) : (
            <LineList>
              {list.map((assistant) => (
                <AssistantLine key={assistant.id} assistant={assistant} isMeant={isMeant} onRemoved={keepFocus} />
              ))}
            </LineList>
          )}
          {isFull ? (
            <Text size="sm" c="dimmed" mt="md">
              A room has at most {ASSISTANTS_MAX} assistants.
            </Text>
          ) : null}
        </Paper>
      )}
      {isAdding ? <AddAssistantDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

type AssistantLineProps = { assistant: Assistant; isMeant: ClickGuard; onRemoved: (pressed: Element) => void }

function AssistantLine({ assistant, isMeant, onRemoved }: AssistantLineProps) {
  const { id, name, role, login_name } = assistant
  const edit = useEditAssistant()
  const newLink = useNewLink()
  const remove = useRemoveAssistant()

  async function handleRole(value: string) {
    const chosen = AssistantRole.parse(value)
    const word = chosen === 'manager' ? 'a manager' : 'a moderator'
    const question = {
      title: `Make ${name} ${word}?`,
      body: 'This signs the assistant out. The new role applies from the next sign-in.',
      confirmLabel: 'Change role',
    }
    if (!(await confirm(question))) return
    edit.mutate(
      { id, role: chosen },
      {
        onSuccess: () => toast.success(`${name} is ${word} now`),
        onError: (error) => toast.error(messageOf(error, 'Failed to change the role')),
      },
    )
  }

  function makeLink(removesFactor: boolean) {
    newLink.mutate(
      { id, removesFactor },
      { onError: (error) => toast.error(messageOf(error, 'Failed to make a link')) },
    )
  }

  async function handleRemove(pressed: Element) {
    const question = {
      title: `Remove ${name}?`,
      body: 'This signs the assistant out immediately, and the sign-in no longer works. The log keeps the name.',
      confirmLabel: 'Remove',
      danger: true,
    }
    if (!(await confirm(question))) return
    remove.mutate(id, {
      onSuccess: () => {
        toast.success(`${name} removed`)
        onRemoved(pressed)
      },
      onError: (error) => toast.error(messageOf(error, 'Failed to remove the assistant')),
    })
  }

  return (
    <ListLine
      hasFields
      words={
        <>
          <Text fw={600} component="div">
            <PersonText text={name} />
          </Text>
          <Text size="sm" c="dimmed">
            Signs in as <bdi dir="ltr">{login_name}</bdi>
          </Text>
          <State assistant={assistant} />
        </>
      }
    >
      <NativeSelect
        label="Role"
        aria-label={`Role of ${name}`}
        data={ROLE_CHOICES}
        value={role}
        disabled={edit.isPending}
        onChange={({ currentTarget }) => void handleRole(currentTarget.value)}
      />
      <Group gap="xs">
        <Button
          variant="default"
          loading={newLink.isPending}
          onClick={(event) => isMeant(id, event) && makeLink(false)}
        >
          New link
        </Button>
        <Button
          variant="default"
          c="var(--bad)"
          loading={remove.isPending}
          onClick={(event) => isMeant(id, event) && void handleRemove(event.currentTarget)}
        >
          Remove
        </Button>
        <AssistantMenu assistant={assistant} onRemoveFactor={() => makeLink(true)} />
      </Group>
      {newLink.data ? (
        <Box flex="1 1 100%">
          <InvitationLink name={name} link={newLink.data} removesFactor={newLink.variables.removesFactor} />
        </Box>
      ) : null}
    </ListLine>
  )
}

function State({ assistant }: { assistant: Assistant }) {
  const { is_active, invited_until, last_active_at, has_second_factor } = assistant
  return (
    <Group gap="xs" mt={6}>
      {is_active ? (
        <Badge color="good">Active</Badge>
      ) : invited_until ? (
        <Badge color="warn">Invited until {formatMoment(invited_until)}</Badge>
      ) : (
        <Badge color="quiet">Invitation has run out</Badge>
      )}
      {has_second_factor ? <Badge color="quiet">Second factor</Badge> : null}
      <Text size="sm" c="dimmed">
        {last_active_at ? `Last active ${formatSince(last_active_at)}` : 'Has not signed in yet'}
      </Text>
    </Group>
  )
}
