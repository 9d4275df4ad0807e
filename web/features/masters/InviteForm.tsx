import { Button, Checkbox, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { InviteMaster } from '../../../shared/masters.ts'
import { fieldErrorsOf, generalMessageOf, isOutcomeUnknown } from '../../lib/api-client.ts'
import { mailNote } from '../../lib/mail-note.ts'
import { site } from '../../lib/site.ts'
import { LinkField } from '../../ui/LinkField.tsx'
import { Notice } from '../../ui/Notice.tsx'
import classes from './masters.module.css'
import { masters, useInviteMaster } from './queries.ts'

const EMPTY = { email: '', full_name: '' }

/** Makes an invitation, whose link is shown until the page is left or the invitation is used or cancelled. */
export function InviteForm() {
  const invite = useInviteMaster()
  const [sendsMail, setSendsMail] = useState(site.sends_mail)
  const form = useForm({ initialValues: EMPTY, validate: schemaResolver(InviteMaster, { sync: true }) })
  const { data: lists, dataUpdatedAt } = useQuery(masters)
  const made = invite.data
  const isListedSince = lists !== undefined && dataUpdatedAt > invite.submittedAt
  const isOpen = made && (!isListedSince || lists.invitations.some(({ id }) => id === made.invitation.id))
  const fallback = isOutcomeUnknown(invite.error)
    ? 'It is not known whether the invitation was made. Press again: a new link replaces the earlier one.'
    : 'The invitation could not be made. Please try again.'
  const failure = generalMessageOf(invite.error, EMPTY, fallback)

  const handleSubmit = (invitation: typeof EMPTY) =>
    invite.mutate(
      { ...invitation, send_mail: sendsMail },
      {
        onSuccess: () => form.reset(),
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    )

  const submit = (
    <Button type="submit" loading={invite.isPending}>
      Invite master
    </Button>
  )
  return (
    <Paper component="section" p="lg" aria-labelledby="invite-master">
      <Stack gap={20}>
        <div>
          <Title order={2} size="h3" id="invite-master">
            Invite master
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            Makes a link that you send. It sets the password of a new master.
          </Text>
        </div>
        <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
          <div className={classes.fields}>
            <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />
            <TextInput label="Full name (optional)" autoComplete="off" {...form.getInputProps('full_name')} />
            {site.sends_mail ? null : submit}
          </div>
          {site.sends_mail ? (
            <Group justify="space-between" gap="sm" mt="sm">
              <Checkbox
                label="Send by email"
                checked={sendsMail}
                onChange={(event) => setSendsMail(event.currentTarget.checked)}
              />
              {submit}
            </Group>
          ) : null}
        </form>
        {failure ? <Notice tone="bad">{failure}</Notice> : null}
        {isOpen ? (
          <LinkField
            label={`Invitation link for ${made.invitation.email}`}
            url={made.url}
            expires_at={made.invitation.expires_at}
            note={mailNote(invite.variables?.send_mail ?? false, made.mailed, made.invitation.email)}
          />
        ) : null}
      </Stack>
    </Paper>
  )
}
