import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { FieldReportAnswer } from '../../../shared/field-report.ts'
import { api, messageOf } from '../../lib/api-client.ts'
import { saveFile } from '../../lib/save-file.ts'
import { toast } from '../../ui/toast.tsx'

export function FieldReport() {
  const saving = useMutation({
    mutationFn: async () => (await api(FieldReportAnswer, 'GET', '/admin/field-report')).data,
    onSuccess: ({ file_name, text }) => saveFile(file_name, new Blob([text], { type: 'text/plain;charset=utf-8' })),
    onError: (error) => toast.error(messageOf(error, 'The report could not be fetched. Please try again.')),
  })
  return (
    <Paper component="section" p="lg" aria-labelledby="field-report">
      <Group justify="space-between" gap="md">
        <div style={{ flex: '1 1 20rem' }}>
          <Title order={2} size="h3" id="field-report">
            Field report
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            What this server saw of Zoom: versions, calls, events and codes, with their times. It holds no names,
            tokens, passcodes or numbers of meetings. Attach it where it is asked for.
          </Text>
        </div>
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden="true" />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          Save the report
        </Button>
      </Group>
    </Paper>
  )
}
