import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ResetLinkAnswer } from '../../../../shared/account-links.ts'
import { api, messageOf } from '../../../lib/api-client.ts'
import { mailNote } from '../../../lib/mail-note.ts'
import { site } from '../../../lib/site.ts'
import { LinkField } from '../../../ui/LinkField.tsx'
import { toast } from '../../../ui/toast.tsx'

/** Makes a link with which a host who has forgotten the password sets a new one. It is shown once. */
export function HostResetLink({ id, email }: { id: string; email: string }) {
  const [removesFactor, setRemovesFactor] = useState(false)
  const [sendsMail, setSendsMail] = useState(site.sends_mail)
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => {
      const body = { remove_second_factor: removesFactor, send_mail: sendsMail }
      return api(ResetLinkAnswer, 'POST', `/admin/hosts/${encodeURIComponent(id)}/reset-link`, body, { isSecret: true })
    },
    onError: (error) => toast.error(messageOf(error, 'Failed to make the link')),
  })
  const link = data?.data

  return (
    <Stack component="section" gap="xs" pb="xl">
      <Title order={2} fz="xs" c="dimmed">
        Forgotten password
      </Title>
      <Text size="sm" c="dimmed">
        The host sets a new password with a link that you send. The present one works until then.
      </Text>
      {link ? (
        <LinkField
          label="Reset link"
          url={link.url}
          expires_at={link.expires_at}
          note={mailNote(sendsMail, link.mailed, email)}
        />
      ) : (
        <Group justify="space-between" gap="xs">
          <Stack gap="xs">
            <Checkbox
              label="Also remove the second factor"
              checked={removesFactor}
              onChange={(event) => setRemovesFactor(event.currentTarget.checked)}
            />
            {site.sends_mail ? (
              <Checkbox
                label="Send by email"
                checked={sendsMail}
                onChange={(event) => setSendsMail(event.currentTarget.checked)}
              />
            ) : null}
          </Stack>
          <Button variant="default" loading={isPending} onClick={() => mutate()}>
            Make reset link
          </Button>
        </Group>
      )}
    </Stack>
  )
}
