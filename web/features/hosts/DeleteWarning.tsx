import { Stack, Text } from '@mantine/core'

export function DeleteWarning({ username }: { username: string }) {
  return (
    <Stack gap="xs">
      <Text size="md">
        <strong>{username}</strong> and everyone in its room are signed out at once, and its Zoom connection is ended.
      </Text>
      <Text size="md">Its data is kept for 30 days, in which it can be restored, and then erased for good.</Text>
    </Stack>
  )
}
