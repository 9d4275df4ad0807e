import { Button, Group, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useEffect } from 'react'
import { IntegrateHost, STORAGE_DEFAULT_GB } from '../../../shared/hosts.ts'
import { fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { CancelButton, Dialog, ModalFooter } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { AddHostFields, type AddHostValues } from './AddHostFields.tsx'
import { CopyNewCredentials } from './CopyNewCredentials.tsx'
import type { NewHostCredentials } from './new-host-credentials.ts'
import { useIntegrateHost } from './queries.ts'
import type { AddHostStart } from './use-add-host-from-address.ts'
import { useZoomConnection } from './use-zoom-connection.ts'
import { ZoomConnect } from './ZoomConnect.tsx'
import { ADD_TIMEOUT_MS } from './zoom-popup.ts'

const CLOSE_AFTER_MS = 2000
const FORM = 'add-host'

const REQUIRED = ['email', 'username', 'password'] as const

type AddHostModalProps = {
  start: AddHostStart
  emailFirst: string
  onCreated: (credentials: NewHostCredentials) => void
  onClose: () => void
}

export function AddHostModal({ start, emailFirst, onCreated, onClose }: AddHostModalProps) {
  const zoom = useZoomConnection({ timeoutMs: ADD_TIMEOUT_MS })
  const integrate = useIntegrateHost()
  const form = useForm<AddHostValues>({
    initialValues: {
      email: start.email ?? '',
      username: '',
      password: '',
      mobile: '',
      room_name: '',
      recording_enabled: true,
      storage_limit_gb: String(STORAGE_DEFAULT_GB),
      subscription_type: '1',
    },
    validate: (values) => schemaResolver(IntegrateHost, { sync: true })(asIntegrateHost(values)),
  })

  const { resume } = zoom
  const { resultId, email: startEmail, connected } = start
  useEffect(() => {
    if (resultId && startEmail) resume(resultId, startEmail, connected)
  }, [resume, resultId, startEmail, connected])

  useEffect(() => {
    if (!integrate.isSuccess) return
    const closing = setTimeout(onClose, CLOSE_AFTER_MS)
    return () => clearTimeout(closing)
  }, [integrate.isSuccess, onClose])

  function handleSubmit(values: AddHostValues) {
    const body: IntegrateHost = {
      ...asIntegrateHost(values),
      ...(zoom.connection.state === 'connected'
        ? {
            zoom_oauth_data: { status: 'success', user_email: zoom.connection.email },
            oauth_result_id: zoom.connection.resultId,
          }
        : {}),
    }
    integrate.mutate(body, {
      onSuccess: ({ data }) => onCreated({ user_id: data.user_id, username: data.username, password: values.password }),
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    })
  }

  const incomplete = REQUIRED.some((name) => form.values[name].trim() === '')
  const done = integrate.isSuccess

  return (
    <Dialog
      onClose={onClose}
      title="Add New Host Account"
      size="44rem"
      closeOnClickOutside={false}
      unsaved={!done && (form.isDirty() || zoom.connection.state === 'connected')}
      styles={{ body: { padding: 0 } }}
    >
      <form id={FORM} noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack gap={20} px="lg" pt="xs" pb="lg">
          {start.notice ? <Notice tone={start.notice.tone}>{start.notice.text}</Notice> : null}
          <AddHostFields form={form} emailLocked={zoom.connection.state !== 'not-connected' || done} />
          <ZoomConnect connector={zoom} email={form.values.email} emailFirst={emailFirst} disabled={done} />
        </Stack>
      </form>
      <ModalFooter>
        {integrate.isError ? (
          <Notice tone="bad">
            Host Integration Error: {messageOf(integrate.error, 'Failed to integrate host account')}
          </Notice>
        ) : null}
        {done ? (
          <Notice tone="good">
            <Group component="span" justify="space-between" gap="xs">
              Host account integrated successfully!
              <CopyNewCredentials
                credentials={{
                  user_id: integrate.data.data.user_id,
                  username: integrate.data.data.username,
                  password: form.values.password,
                }}
              />
            </Group>
          </Notice>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <CancelButton>{done ? 'Close' : 'Cancel'}</CancelButton>
          <Button type="submit" form={FORM} disabled={incomplete || done} loading={integrate.isPending}>
            Add Host
          </Button>
        </Group>
      </ModalFooter>
    </Dialog>
  )
}

function asIntegrateHost(values: AddHostValues): IntegrateHost {
  const months = Number(values.subscription_type)
  return {
    email: values.email,
    password: values.password,
    username: values.username,
    room_name: values.room_name.trim() || null,
    mobile: values.mobile.trim() || null,
    recording_enabled: values.recording_enabled,
    storage_limit_gb: Number(values.storage_limit_gb),
    subscription_type: months === 1 || months === 3 || months === 12 ? months : null,
  }
}
