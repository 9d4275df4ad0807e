import { Button, Group, Text, TextInput } from '@mantine/core'
import { copyMessage } from './copy-message.ts'
import { formatMoment } from './format-date.ts'

type LinkFieldProps = {
  label: string
  url: string
  expires_at: string
  /** Says that it was also sent by email, or could not be. */
  note?: string | undefined
}

/** Shows a link that exists only here, with a button that copies it. */
export function LinkField({ label, url, expires_at, note }: LinkFieldProps) {
  return (
    <Group role="status" align="flex-end" gap="xs">
      <TextInput
        label={label}
        inputWrapperOrder={['label', 'description', 'input']}
        description={`Works once, until ${formatMoment(expires_at)}. It is shown only now.`}
        value={url}
        readOnly
        flex="1 1 16rem"
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button onClick={() => void copyMessage(url, 'Link copied')}>Copy link</Button>
      {note ? (
        <Text size="sm" w="100%">
          {note}
        </Text>
      ) : null}
    </Group>
  )
}
