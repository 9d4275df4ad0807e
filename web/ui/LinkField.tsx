import { Button, Group, TextInput } from '@mantine/core'
import { copyMessage } from './copy-message.ts'
import { formatMoment } from './format-date.ts'

type LinkFieldProps = { label: string; url: string; expires_at: string }

/** Shows a link that exists only here, with a button that copies it. */
export function LinkField({ label, url, expires_at }: LinkFieldProps) {
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
    </Group>
  )
}
