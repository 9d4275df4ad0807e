import { Button, Checkbox, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ResetLinkAnswer } from '../../../../shared/account-links.ts'
import { api, messageOf } from '../../../lib/api-client.ts'
import { LinkField } from '../../../ui/LinkField.tsx'
import { toast } from '../../../ui/toast.tsx'

/** Makes a link with which a host who has forgotten the password sets a new one. It is shown once. */
export function HostResetLink({ id }: { id: string }) {
  const [removesFactor, setRemovesFactor] = useState(false)
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => {
      const body = { remove_second_factor: removesFactor }
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
        <LinkField label="Reset link" {...link} />
      ) : (
        <Group justify="space-between" gap="xs">
          <Checkbox
            label="Also remove the second factor"
            checked={removesFactor}
            onChange={(event) => setRemovesFactor(event.currentTarget.checked)}
          />
          <Button variant="default" loading={isPending} onClick={() => mutate()}>
            Make reset link
          </Button>
        </Group>
      )}
    </Stack>
  )
}
