import { Button, Group, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useEffect } from 'react'
import { type Host, IntegrateHost, STORAGE_DEFAULT_GB } from '../../../../shared/hosts.ts'
import { fieldErrorsOf, messageOf } from '../../../lib/api-client.ts'
import { CancelButton, Dialog, ModalFooter } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useCloseAfter } from '../use-close-after.ts'
import { useZoomConnection } from '../zoom-connect/use-zoom-connection.ts'
import { ZoomConnect } from '../zoom-connect/ZoomConnect.tsx'
import { ADD_TIMEOUT_MS } from '../zoom-connect/zoom-popup.ts'
import { AddHostFields, type AddHostValues } from './AddHostFields.tsx'
import { CopyNewCredentials } from './CopyNewCredentials.tsx'
import type { NewHostCredentials } from './new-host-credentials.ts'
import { useAddHost } from './use-add-host.ts'
import type { AddHostPrefill } from './use-add-host-from-address.ts'

const FORM_ID = 'add-host'

const REQUIRED = ['email', 'username', 'password'] as const

type AddHostModalProps = {
  start: AddHostPrefill
  emailFirst: string
  onCreated: (credentials: NewHostCredentials) => void
  onClose: () => void
}

export function AddHostModal({ start, emailFirst, onCreated, onClose }: AddHostModalProps) {
  const zoom = useZoomConnection({ timeoutMs: ADD_TIMEOUT_MS })
  const integrate = useAddHost()
  const { isOfEarlierPress = false } = integrate.data ?? {}
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

  useCloseAfter(integrate.isSuccess && !isOfEarlierPress, onClose)

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
      onSuccess: (added) => onCreated(credentialsOf(added)),
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
      busy={integrate.isPending}
      styles={{ body: { padding: 0 } }}
    >
      <form id={FORM_ID} noValidate onSubmit={form.onSubmit(handleSubmit)}>
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
          <Notice tone={isOfEarlierPress ? 'warn' : 'good'}>
            <Group component="span" justify="space-between" gap="xs">
              {isOfEarlierPress ? (
                <span>
                  Your first press had already added{' '}
                  <bdi dir="auto">
                    <strong>{integrate.data.host.username}</strong>
                  </bdi>
                  . What you changed since then is not saved: use Edit Host for it.
                </span>
              ) : (
                'Host account integrated successfully!'
              )}
              <CopyNewCredentials credentials={credentialsOf(integrate.data)} />
            </Group>
          </Notice>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <CancelButton>{done ? 'Close' : 'Cancel'}</CancelButton>
          <Button type="submit" form={FORM_ID} disabled={incomplete || done} loading={integrate.isPending}>
            Add Host
          </Button>
        </Group>
      </ModalFooter>
    </Dialog>
  )
}

function credentialsOf({ host, password }: { host: Host; password: string }): NewHostCredentials {
  return { user_id: host.user_id, username: host.username, password }
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
