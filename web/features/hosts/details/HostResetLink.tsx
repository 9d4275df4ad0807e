import { Button, Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ResetLinkAnswer } from '../../../../shared/account-links.ts'
import { api, messageOf } from '../../../lib/api-client.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { formatMoment } from '../../../ui/format-date.ts'
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

  async function copy(url: string) {
    try {
      await copyText(Promise.resolve(url))
      toast.success('Link copied')
    } catch {
      toast.error('The link could not be copied. Select it, then copy it yourself.')
    }
  }

  return (
    <Stack component="section" gap="xs" pb="xl">
      <Title order={2} fz="xs" c="dimmed">
        Forgotten password
      </Title>
      <Text size="sm" c="dimmed">
        The host sets a new password with a link that you send. The present one works until then.
      </Text>
      {link ? (
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Reset link"
            inputWrapperOrder={['label', 'description', 'input']}
            description={`Works once, until ${formatMoment(link.expires_at)}. It is shown only now.`}
            value={link.url}
            readOnly
            flex="1 1 16rem"
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button onClick={() => void copy(link.url)}>Copy link</Button>
        </Group>
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
