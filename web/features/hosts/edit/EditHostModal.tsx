import { Button, Group, Stack } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import { EditHost, type Host } from '../../../../shared/hosts.ts'
import { ApiError, fieldErrorsOf, generalMessageOf } from '../../../lib/api-client.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { CancelButton, Dialog, ModalFooter } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { fetchHost, useEditHost } from '../queries.ts'
import { useCloseAfter } from '../use-close-after.ts'
import { useZoomConnection, type ZoomConnection } from '../zoom-connect/use-zoom-connection.ts'
import { ZoomConnect } from '../zoom-connect/ZoomConnect.tsx'
import { EDIT_TIMEOUT_MS } from '../zoom-connect/zoom-popup.ts'
import { EditHostFields } from './EditHostFields.tsx'
import {
  type EditHostValues,
  earliestDay,
  editBody,
  mergeRemoteChanges,
  valuesOf,
  type ZoomChange,
  zoomEmailFault,
} from './edit-host-form.ts'
import { SubscriptionEditor } from './SubscriptionEditor.tsx'

const FORM_ID = 'edit-host'

export function EditHostModal({ host: given, onClose }: { host: Host; onClose: () => void }) {
  const [host, setHost] = useState(given) // a copy, in case the list changes
  const [remoteChanges, setRemoteChanges] = useState<{ lines: string[]; dropsAction: boolean } | null>(null)
  const edit = useEditHost()
  const zoom = useZoomConnection({
    timeoutMs: EDIT_TIMEOUT_MS,
    hostId: host.id,
    email: host.zoom_connected ? host.zoom_user_email : null,
  })
  const form = useForm<EditHostValues>({
    initialValues: valuesOf(host),
    validate: (values) => ({
      ...schemaResolver(EditHost, { sync: true })(editBody(values, host, { kind: 'kept' }, serverNow())),
      ...dayFault(values),
      ...(zoom.connection.state === 'connected' ? {} : zoomEmailFault(values, host)),
    }),
  })

  useCloseAfter(edit.isSuccess, onClose)

  /** Another master saved first: merges the changes into the form, and lists them. */
  async function loadRemoteChanges() {
    try {
      const { data } = await fetchHost(host.id)
      const mine = form.getValues()
      const next = mergeRemoteChanges(mine, host, data)
      form.setValues(next.values)
      setRemoteChanges({ lines: next.lines, dropsAction: next.values.action !== mine.action })
      setHost(data)
    } catch {
      // The server's message is on screen, and the next attempt to save fails with it again.
    }
  }

  function handleSubmit(values: EditHostValues) {
    setRemoteChanges(null)
    edit.mutate(
      { id: host.id, edit: editBody(values, host, zoomChange(zoom.connection, host), serverNow()) },
      {
        onError: (error) => {
          form.setErrors(formErrorsOf(error))
          if (error instanceof ApiError && error.code === 'state_changed') void loadRemoteChanges()
        },
      },
    )
  }

  const done = edit.isSuccess
  const failure = generalMessageOf(edit.error, { ...form.values, ...DATES }, 'Failed to update host')
  const zoomEmail = form.values.zoom_user_email.trim() || form.values.email

  return (
    <Dialog
      onClose={onClose}
      title="Edit Host"
      size="44rem"
      closeOnClickOutside={false}
      unsaved={!done && (form.isDirty() || zoomChange(zoom.connection, host).kind === 'dropped')}
      busy={edit.isPending}
      styles={{ body: { padding: 0 } }}
    >
      <form id={FORM_ID} noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack gap={20} px="lg" pt="xs" pb="lg">
          <EditHostFields form={form} zoomEmailLocked={zoom.connection.state !== 'not-connected'} />
          <ZoomConnect
            connector={zoom}
            email={zoomEmail}
            emailFirst="Please enter the host's Zoom email address first"
            idle={zoomWords(host)}
            connectLabel={host.zoom_status === 'reconnect_needed' ? 'Reconnect Zoom' : 'Connect Zoom'}
            disabled={done}
          />
          <SubscriptionEditor form={form} host={host} />
        </Stack>
      </form>
      <ModalFooter>
        {failure ? (
          <Notice tone={remoteChanges ? 'warn' : 'bad'}>
            {failure}
            {remoteChanges ? (
              <>
                {remoteChanges.lines.length > 0 ? <> It is now: {remoteChanges.lines.join('; ')}.</> : null}{' '}
                {remoteChanges.dropsAction ? 'Your action on the subscription was taken back. Your other' : 'Your own'}{' '}
                changes are still here. Save again to apply them.
              </>
            ) : null}
          </Notice>
        ) : null}
        {done ? <Notice tone="good">{edit.data.message ?? 'Host updated successfully'}</Notice> : null}
        <Group justify="flex-end" gap="xs">
          <CancelButton>{done ? 'Close' : 'Cancel'}</CancelButton>
          <Button
            type="submit"
            form={FORM_ID}
            disabled={done || zoom.connection.state === 'connecting'}
            loading={edit.isPending}
          >
            Save changes
          </Button>
        </Group>
      </ModalFooter>
    </Dialog>
  )
}

/** Maps the server's field names to those of the form. */
const DATES = { subscription_end_date: 'day', subscription_months: 'months' }

/** Maps the form's fields to the server's messages. */
function formErrorsOf(error: unknown): Record<string, string> {
  const fields: Record<string, string> = DATES
  return Object.fromEntries(Object.entries(fieldErrorsOf(error)).map(([path, text]) => [fields[path] ?? path, text]))
}

function dayFault({ action, day }: EditHostValues) {
  if (action !== 'set_date') return {}
  if (day === '') return { day: 'Choose the end date' }
  return day < earliestDay(serverNow()) ? { day: 'The end date must be today or later' } : {}
}

/** A consent for this host links the account immediately, so only a disconnection remains to be saved. */
function zoomChange(connection: ZoomConnection, host: Host): ZoomChange {
  if (connection.state === 'connected') return { kind: 'connected', email: connection.email }
  return host.zoom_connected ? { kind: 'dropped' } : { kind: 'kept' }
}

function zoomWords(host: Host): string {
  if (host.zoom_status === 'connected') return 'Saving ends the connection.'
  if (host.zoom_status === 'reconnect_needed')
    return `Zoom no longer accepts the connection of ${host.zoom_user_email}. Connect it again.`
  return 'Not connected. The room works, but has no Zoom meeting.'
}
