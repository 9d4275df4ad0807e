import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../lib/api-client.ts'
import { downloadFile } from '../../../lib/download.ts'
import { toast } from '../../../ui/toast.tsx'

/** Exports what is kept about a host's account. */
export function HostData({ id }: { id: string }) {
  const saving = useMutation({
    mutationFn: () => downloadFile(`/admin/hosts/${encodeURIComponent(id)}/export`),
    onError: (error) => toast.error(messageOf(error, 'The file could not be fetched. Please try again.')),
  })
  return (
    <Stack component="section" gap="xs" pb="xl">
      <Title order={2} fz="xs" c="dimmed">
        Data
      </Title>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" flex="1 1 16rem">
          The account, its subscription history and its part of the log, as a file. Nothing about the users of its room.
        </Text>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          Export data
        </Button>
      </Group>
    </Stack>
  )
}
