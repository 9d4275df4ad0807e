import { Button, Group, Stack, Text } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { Confirm } from '../../../shared/account.ts'
import { fieldErrorsOf, generalMessageOf } from '../../lib/api-client.ts'
import { onConfirmationNeeded } from '../../lib/confirmation.ts'
import { useSession } from '../../lib/session/session.ts'
import { CancelButton, Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { useConfirm } from './queries.ts'

type Question = { answer: (isConfirmed: boolean) => void }

/** Asks for the password when an act needs it, wherever it was begun. The act goes on by itself. */
export function ConfirmIdentity() {
  const [question, setQuestion] = useState<Question | null>(null)

  useEffect(() => {
    let waiting: Question | null = null
    const remove = onConfirmationNeeded(async () => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      waiting = { answer: resolve }
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

  return question ? <ConfirmDialog onAnswer={question.answer} /> : null
}

const EMPTY: Confirm = { password: '' }

function ConfirmDialog({ onAnswer }: { onAnswer: Question['answer'] }) {
  const { user } = useSession()
  const confirm = useConfirm()
  const form = useForm({ initialValues: EMPTY, validate: schemaResolver(Confirm, { sync: true }) })
  const failure = generalMessageOf(confirm.error, EMPTY, 'The password could not be checked. Please try again.')

  function handleSubmit({ password }: Confirm) {
    confirm.mutate(password, {
      onSuccess: () => onAnswer(true),
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    })
  }

  return (
    <Dialog title="Confirm it's you" size="sm" centered busy={confirm.isPending} onClose={() => onAnswer(false)}>
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack>
          <Text size="sm" c="dimmed">
            This cannot be taken back easily, so it needs your password. It then goes on by itself.
          </Text>
          <input type="text" name="username" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          {failure ? <Notice tone="bad">{failure}</Notice> : null}
          <Group justify="flex-end">
            <CancelButton disabled={confirm.isPending} />
            <Button type="submit" loading={confirm.isPending}>
              Confirm
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
