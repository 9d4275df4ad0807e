import { Button, Group, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AddPasskey, PASSKEYS_MAX } from '../../../shared/passkeys.ts'
import type { Passkey } from '../../../shared/second-factor.ts'
import { messageOf } from '../../lib/api-client.ts'
import { hasPasskeys } from '../../lib/passkeys.ts'
import { confirm } from '../../ui/confirm.tsx'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { formatSince } from '../../ui/format-date.ts'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { AccountLine } from './AccountLine.tsx'
import { account, passkeyFailure, useAddPasskey, useRemovePasskey } from './queries.ts'

type PasskeysLineProps = { count: number; onCodes: (codes: string[]) => void }

export function PasskeysLine({ count, onCodes }: PasskeysLineProps) {
  const [isAdding, setAdding] = useState(false)
  const canAdd = hasPasskeys() && count < PASSKEYS_MAX

  return (
    <AccountLine
      name="Passkeys"
      isOn={count > 0}
      facts={
        hasPasskeys()
          ? 'Your finger, your face or a PIN in place of a code. A passkey works only at the address where it was made.'
          : 'This browser has none at this address: they need https.'
      }
    >
      {canAdd ? (
        <Button variant="default" flex="none" onClick={() => setAdding(true)}>
          Add passkey
        </Button>
      ) : null}
      {isAdding ? (
        <AddPasskeyDialog
          onClose={() => setAdding(false)}
          onAdded={(codes) => {
            setAdding(false)
            if (codes) onCodes(codes)
            else toast.success('Passkey added')
          }}
          onAddedUnseen={() => {
            setAdding(false)
            toast.error('The passkey is added, but its recovery codes could not be shown. Make new codes now.')
          }}
        />
      ) : null}
    </AccountLine>
  )
}

const Named = AddPasskey.pick({ name: true })

type AddPasskeyDialogProps = {
  onClose: () => void
  /** Called with recovery codes, if the account had none. */
  onAdded: (codes: string[] | undefined) => void
  /** Called when the passkey is added by a call whose answer was lost, and recovery codes with it. */
  onAddedUnseen: () => void
}

function AddPasskeyDialog({ onClose, onAdded, onAddedUnseen }: AddPasskeyDialogProps) {
  const client = useQueryClient()
  const currentFactors = () => client.getQueryData(account.queryKey)?.second_factor
  const [before] = useState(currentFactors)
  const add = useAddPasskey()
  const form = useForm({ initialValues: { name: '' }, validate: schemaResolver(Named, { sync: true }) })

  function handleFailure() {
    const known = new Set(before?.passkeys.map(({ id }) => id))
    if (!currentFactors()?.passkeys.some(({ id }) => !known.has(id))) return
    if (before && before.recovery_codes_left > 0) onAdded(undefined)
    else onAddedUnseen()
  }

  return (
    <Dialog title="Add passkey" size="sm" busy={add.isPending} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.onSubmit(({ name }) => add.mutate(name, { onSuccess: onAdded, onError: handleFailure }))}
      >
        <Stack>
          <TextInput
            label="Name"
            description="What you will know it by, such as Laptop"
            maxLength={64}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {add.error ? <Notice tone="bad">{passkeyFailure(add.error)}</Notice> : null}
          <Group justify="flex-end">
            <CancelButton disabled={add.isPending} />
            <Button type="submit" loading={add.isPending}>
              Continue
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

export function PasskeyLine({ passkey }: { passkey: Passkey }) {
  const { id, name, created_at, last_used_at, usable_here } = passkey
  const remove = useRemovePasskey()

  async function handleRemove() {
    const isMeant = await confirm({
      title: 'Remove the passkey?',
      body: `"${name}" will not sign you in any more. Without another second factor your recovery codes go with it.`,
      confirmLabel: 'Remove passkey',
      danger: true,
    })
    if (!isMeant) return
    remove.mutate(id, {
      onSuccess: () => toast.success('Passkey removed'),
      onError: (error) => toast.error(messageOf(error, 'The passkey could not be removed')),
    })
  }

  return (
    <AccountLine
      name={name}
      facts={
        <>
          {usable_here ? null : 'For another address, so it does not work here. '}
          Added {formatSince(created_at)}, {last_used_at ? `last used ${formatSince(last_used_at)}` : 'not used yet'}
        </>
      }
    >
      <Button
        variant="default"
        flex="none"
        aria-label={`Remove the passkey ${name}`}
        loading={remove.isPending}
        onClick={() => void handleRemove()}
      >
        Remove
      </Button>
    </AccountLine>
  )
}
