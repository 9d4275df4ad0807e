import { Stack, Text } from '@mantine/core'

export function DeleteWarning({ username }: { username: string }) {
  return (
    <Stack gap="xs">
      <Text size="md">
        <strong>
          <bdi dir="auto">{username}</bdi>
        </strong>{' '}
        and every phone in its room are signed out immediately, and its Zoom connection is ended.
      </Text>
      <Text size="md">Its data is kept for 30 days, in which it can be restored, and then erased for good.</Text>
    </Stack>
  )
}
