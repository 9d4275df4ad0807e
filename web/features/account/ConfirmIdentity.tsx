import { Button, Group, Stack, Text } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { Confirm } from '../../../shared/account.ts'
import { fieldErrorsOf, generalMessageOf } from '../../lib/api-client.ts'
import { onConfirmationNeeded } from '../../lib/confirmation.ts'
import { hasPasskeys } from '../../lib/passkeys.ts'
import { useSession } from '../../lib/session/session.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { passkeyFailure, useConfirm, useConfirmByPasskey } from './queries.ts'

type Question = { methods: readonly string[]; answer: (isConfirmed: boolean) => void }

/** Asks for the password when an act needs it, wherever it was begun. The act goes on by itself. */
export function ConfirmIdentity() {
  const [question, setQuestion] = useState<Question | null>(null)

  useEffect(() => {
    let waiting: Question | null = null
    const remove = onConfirmationNeeded(async (methods) => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      waiting = { methods, answer: resolve }
      setQuestion(waiting)
      const isConfirmed = await promise
      setQuestion(null)
      return isConfirmed
    })
    return () => {
      remove()
      waiting?.answer(false)
    }
  }, [])

  return question ? <ConfirmDialog methods={question.methods} onAnswer={question.answer} /> : null
}

const EMPTY = { password: '' }

function ConfirmDialog({ methods, onAnswer }: { methods: Question['methods']; onAnswer: Question['answer'] }) {
  const { user } = useSession()
  const confirm = useConfirm()
  const byPasskey = useConfirmByPasskey()
  const hasPasskey = methods.includes('passkey') && hasPasskeys()
  const busy = confirm.isPending || byPasskey.isPending
  const form = useForm({ initialValues: EMPTY, validate: schemaResolver(Confirm, { sync: true }) })
  const failure =
    generalMessageOf(confirm.error, EMPTY, 'The password could not be checked. Please try again.') ??
    (byPasskey.error && passkeyFailure(byPasskey.error))

  function handleSubmit({ password }: typeof EMPTY) {
    byPasskey.reset()
    confirm.mutate(password, {
      onSuccess: () => onAnswer(true),
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    })
  }

  return (
    <Dialog title="Confirm it's you" size="sm" centered busy={busy} onClose={() => onAnswer(false)}>
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack>
          <Text size="sm" c="dimmed">
            This cannot be taken back easily, so it needs your password{hasPasskey ? ' or a passkey' : null}. It then
            goes on by itself.
          </Text>
          <input type="text" name="username" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          {failure ? <Notice tone="bad">{failure}</Notice> : null}
          <Group gap="xs">
            {hasPasskey ? (
              <Button
                variant="default"
                loading={byPasskey.isPending}
                onClick={() => {
                  confirm.reset()
                  byPasskey.mutate(undefined, { onSuccess: () => onAnswer(true) })
                }}
              >
                Use passkey
              </Button>
            ) : null}
            <Group gap="xs" ml="auto">
              <CancelButton disabled={busy} />
              <Button type="submit" loading={confirm.isPending}>
                Confirm
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
