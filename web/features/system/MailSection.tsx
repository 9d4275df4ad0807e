import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { SystemReport } from '../../../shared/system.ts'
import { messageOf } from '../../lib/api-client.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useSendTestMail } from './queries.ts'
import { SystemSection } from './SystemSection.tsx'

export function MailSection({ mail: { waiting, last_error } }: { mail: SystemReport['mail'] }) {
  const test = useSendTestMail()
  const send = () =>
    test.mutate(undefined, {
      onSuccess: ({ accepted, answer }) =>
        accepted
          ? toast.success(`The mail server took the mail: ${answer}`)
          : toast.error(`The mail was not taken: ${answer}`),
      onError: (error) => toast.error(messageOf(error, 'The mail could not be sent')),
    })
  const action = (
    <Button
      variant="default"
      leftSection={<IconSend size={17} aria-hidden="true" />}
      loading={test.isPending}
      onClick={send}
    >
      Send test mail
    </Button>
  )
  return (
    <SystemSection title="Mail" action={action}>
      <Facts>
        <Fact label="Waiting">{waiting}</Fact>
        {last_error ? <Fact label="Last error">{last_error}</Fact> : null}
      </Facts>
    </SystemSection>
  )
}
