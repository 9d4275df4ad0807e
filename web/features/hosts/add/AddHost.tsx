import { Group } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../../ui/Notice.tsx'
import { AddHostModal } from './AddHostModal.tsx'
import { CopyNewCredentials } from './CopyNewCredentials.tsx'
import type { NewHostCredentials } from './new-host-credentials.ts'
import type { AddingHost } from './use-add-host-from-address.ts'

type AddHostProps = {
  adding: AddingHost
  /** The message for Connect Zoom while the email is missing. */
  emailFirst: string
}

/** Opens Add New Host, then shows the new host's credentials, which cannot be looked up later. */
export function AddHost({ adding, emailFirst }: AddHostProps) {
  const [created, setCreated] = useState<NewHostCredentials | null>(null)
  return (
    <>
      {adding.notice && !adding.isOpen ? (
        <Notice tone={adding.notice.tone} onDismiss={adding.dismissNotice}>
          {adding.notice.text}
        </Notice>
      ) : null}
      {created && !adding.isOpen ? (
        <Notice tone="good" onDismiss={() => setCreated(null)}>
          <Group component="span" gap="md">
            <span>
              <bdi dir="auto">
                <strong>{created.username}</strong>
              </bdi>{' '}
              was added. Copy the password now: it won’t be shown again.
            </span>
            <CopyNewCredentials credentials={created} />
          </Group>
        </Notice>
      ) : null}
      {adding.isOpen ? (
        <AddHostModal start={adding.start} emailFirst={emailFirst} onCreated={setCreated} onClose={adding.close} />
      ) : null}
    </>
  )
}
