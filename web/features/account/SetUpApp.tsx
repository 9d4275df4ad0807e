import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmTotp } from '../../../shared/second-factor.ts'
import { generalMessageOf } from '../../lib/api-client.ts'
import { CopyValue } from '../../ui/CopyValue.tsx'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { account, useConfirmTotp } from './queries.ts'
import classes from './SetUpApp.module.css'

type SetUpAppProps = {
  secret: string
  uri: string
  onClose: () => void
  /** Called with recovery codes, if the account had none. */
  onDone: (codes: string[] | undefined) => void
  /** Called when the app is on, and new recovery codes with it, by a call whose answer was lost, or from another console. */
  onDoneUnseen: () => void
}

/** Hands the app its key as a QR code and as text, and turns it on with its first code. */
export function SetUpApp({ secret, uri, onClose, onDone, onDoneUnseen }: SetUpAppProps) {
  const client = useQueryClient()
  const currentFactors = () => client.getQueryData(account.queryKey)?.second_factor
  const [before] = useState(currentFactors)
  const turnOn = useConfirmTotp()
  const form = useForm({ initialValues: { code: '' }, validate: schemaResolver(ConfirmTotp, { sync: true }) })
  const failure = generalMessageOf(turnOn.error, {}, 'The code could not be checked. Please try again.')

  return (
    <Dialog title="Set up an app" busy={turnOn.isPending} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.onSubmit(({ code }) =>
          turnOn.mutate(code, {
            onSuccess: onDone,
            onError: () => {
              form.setFieldValue('code', '')
              if (!currentFactors()?.totp) return
              if (before && before.recovery_codes_left > 0) onDone(undefined)
              else onDoneUnseen()
            },
          }),
        )}
      >
        <Stack>
          <Text size="sm">Scan this with the app, or type the key into it.</Text>
          <QrCode text={uri} label="QR code for the app" className={classes.code} />
          <Group gap="xs" justify="center" wrap="nowrap">
            <Text className={classes.key}>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</Text>
            <CopyValue what="Key" value={secret} />
          </Group>
          <TextInput
            label="Code from your app"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={16}
            data-autofocus
            {...form.getInputProps('code')}
          />
          {failure ? <Notice tone="bad">{failure}</Notice> : null}
          <Group justify="flex-end">
            <CancelButton disabled={turnOn.isPending} />
            <Button type="submit" loading={turnOn.isPending}>
              Turn on
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
