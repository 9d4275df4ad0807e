import { Box, Button, Flex, Paper, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { APP_INFO_LIMITS, type AppInfo, EditAppInfo } from '../../../shared/app-info.ts'
import { ApiError, fieldErrorsOf, messageOf } from '../../lib/api-client.ts'
import { changedFields } from '../../lib/changed-fields.ts'
import { registerDraft, takeDraft } from '../../lib/session/drafts.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { toast } from '../../ui/toast.tsx'
import { useSaving, useUnsavedWork } from '../../ui/unsaved-work.tsx'
import { useClickGuard } from '../../ui/use-click-guard.ts'
import {
  type AppInfoValues,
  appInfoValues,
  Draft,
  draftOf,
  expectedValues,
  type RemoteChange,
  remoteChangesOf,
} from './app-info-values.ts'
import { LogoField } from './LogoField.tsx'
import { PhonePreview } from './PhonePreview.tsx'
import { appInfo, useEditAppInfo } from './queries.ts'

const BELOW: ['label', 'input', 'description', 'error'] = ['label', 'input', 'description', 'error']

const DRAFT = 'app-info'

/** Shows the value as a fact that can be copied, not as a field. */
const READ_ONLY = {
  input: {
    borderColor: 'transparent',
    background: 'var(--surface-sunken)',
    color: 'var(--text-soft)',
    fontWeight: 600,
  },
}

/** Appends a character count to a field's description. */
const counted = (words: string, text: string, most: number) => `${words}${text.length} of ${most} characters`

export function AppInfoForm({ info }: { info: AppInfo }) {
  const edit = useEditAppInfo()
  const client = useQueryClient()
  const [remoteChanges, setRemoteChanges] = useState<RemoteChange[]>([])
  const [isRestored, setRestored] = useState(false)
  const form: UseFormReturnType<AppInfoValues> = useForm({
    initialValues: appInfoValues(info),
    validate: (values) => schemaResolver(EditAppInfo, { sync: true })(changedFields(values, form.getInitialValues())),
  })
  const isOverwriting = remoteChanges.length > 0
  const isMeant = useClickGuard(isOverwriting ? ['overwrite'] : [])

  useUnsavedWork(form.isDirty())
  useSaving(edit.isPending)

  const { getValues, getInitialValues, setValues } = form
  useEffect(() => {
    const draft = Draft.safeParse(takeDraft(DRAFT))
    if (draft.success) {
      const { before, typed } = draft.data
      setRemoteChanges(remoteChangesOf(before, getInitialValues()))
      setValues(typed)
      setRestored(true)
    }
    return registerDraft(DRAFT, () => draftOf(getValues(), getInitialValues()))
  }, [getValues, getInitialValues, setValues])

  function handleSubmit(values: AppInfoValues) {
    const seen = form.getInitialValues()
    setRemoteChanges([])
    edit.mutate(
      { ...changedFields(values, seen), expect: expectedValues(seen) },
      {
        onSuccess: ({ appInfo: saved }) => {
          takeUp(values, saved)
          setRestored(false)
          toast.success('App information updated successfully')
        },
        onError: (error) => {
          form.setErrors(fieldErrorsOf(error))
          toast.error(`Failed to update app information: ${messageOf(error, 'Please try again.')}`)
          if (error instanceof ApiError && error.code === 'state_changed') void mergeRemoteChanges()
        },
      },
    )
  }

  /** Another console saved first: shows its changes before they can be overwritten. */
  async function mergeRemoteChanges() {
    try {
      const { appInfo: present } = await client.fetchQuery(appInfo)
      const before = form.getInitialValues()
      setRemoteChanges(remoteChangesOf(before, appInfoValues(present)))
      takeUp(before, present)
    } catch {
      // The server's message is on screen, and the next attempt to save fails with it again.
    }
  }

  /** Keeps edited fields; fields still equal to `before` get the server's values. */
  function takeUp(before: AppInfoValues, present: AppInfo) {
    const typed = changedFields(form.getValues(), before)
    form.resetDirty(appInfoValues(present))
    form.setValues({ ...appInfoValues(present), ...typed })
  }

  /** Keeps an address that was typed since the upload began. */
  function handleUploaded(logoUrl: string | null, addressBefore: string) {
    form.setInitialValues({ ...form.getInitialValues(), logo_url: logoUrl ?? '' })
    if (form.getValues().logo_url === addressBefore) form.setFieldValue('logo_url', logoUrl ?? '')
  }

  const { user_title, helpline, message, logo_url, allow_recording } = form.values
  return (
    <Flex direction={{ base: 'column', lg: 'row' }} align={{ lg: 'flex-start' }} gap="lg">
      <Paper p="lg" flex={1}>
        <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
          <Stack gap={20}>
            <SimpleGrid type="container" cols={{ base: 1, '34rem': 2 }} spacing={20}>
              <TextInput
                label="User ID"
                value={info.user_id}
                readOnly
                dir="ltr"
                styles={READ_ONLY}
                description="Your Host ID. Your users type it in the phone app, and you sign in with it."
                inputWrapperOrder={BELOW}
              />
              <PasswordField
                label="Password"
                autoComplete="new-password"
                description={
                  info.has_password ? 'Leave blank to keep the current one' : 'For your own phone. Not set yet.'
                }
                {...form.getInputProps('password')}
              />
              <TextInput
                label="User title"
                maxLength={APP_INFO_LIMITS.user_title}
                description={counted(
                  'The heading of the phone app. Public, with the logo. ',
                  user_title,
                  APP_INFO_LIMITS.user_title,
                )}
                inputWrapperOrder={BELOW}
                {...form.getInputProps('user_title')}
              />
              <TextInput
                label="Helpline"
                type="tel"
                maxLength={APP_INFO_LIMITS.helpline}
                description={counted('The number your users call for help. ', helpline, APP_INFO_LIMITS.helpline)}
                inputWrapperOrder={BELOW}
                {...form.getInputProps('helpline')}
              />
            </SimpleGrid>
            <Textarea
              label="Message"
              rows={5}
              maxLength={APP_INFO_LIMITS.message}
              description={counted('Shown to your users once they have signed in. ', message, APP_INFO_LIMITS.message)}
              inputWrapperOrder={BELOW}
              {...form.getInputProps('message')}
            />
            <SimpleGrid type="container" cols={{ base: 1, '34rem': 2 }} spacing={20}>
              <TextInput
                label="Logo address"
                type="url"
                placeholder="https://"
                description="Public. A site other than this one learns the address of everyone whose phone loads it."
                inputWrapperOrder={BELOW}
                maxLength={APP_INFO_LIMITS.logo_url}
                {...form.getInputProps('logo_url')}
              />
              <LogoField address={logo_url} onUploaded={handleUploaded} />
            </SimpleGrid>
            <Switch
              label="Show the room before sign-in"
              description="Anyone who knows your Host ID sees its name, title and logo. Switched off, they see nothing, and your users sign in as before."
              {...form.getInputProps('has_public_card', { type: 'checkbox' })}
            />
            <Switch
              label="Allow recording"
              description="The phone app may offer to record"
              {...form.getInputProps('allow_recording', { type: 'checkbox' })}
            />
            {isRestored ? (
              <Notice tone="quiet">
                What you typed before you were signed out is back, except for a password. It is not saved yet.
              </Notice>
            ) : null}
            {isOverwriting ? (
              <Notice tone="warn" title="Changed by another console in the meantime">
                {remoteChanges.map(({ label, value }) => (
                  <div key={label}>
                    {label} is now: <bdi style={{ whiteSpace: 'pre-line' }}>{value}</bdi>
                  </div>
                ))}
                <Box mt={8}>What you changed is still in the form. Save again to replace that.</Box>
              </Notice>
            ) : null}
            <Button
              type="submit"
              mr="auto"
              loading={edit.isPending}
              disabled={!form.isDirty()}
              onClick={(event) => {
                if (isOverwriting && !isMeant('overwrite', event)) event.preventDefault()
              }}
            >
              Save changes
            </Button>
          </Stack>
        </form>
      </Paper>
      <Box w={{ lg: '19rem' }} flex="none" pos={{ lg: 'sticky' }} top={76}>
        <PhonePreview
          userTitle={user_title}
          helpline={helpline}
          message={message}
          logoUrl={logo_url.trim()}
          allowRecording={allow_recording}
        />
      </Box>
    </Flex>
  )
}
