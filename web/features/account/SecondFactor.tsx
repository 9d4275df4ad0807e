import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountFactors } from '../../../shared/second-factor.ts'
import { messageOf } from '../../lib/api-client.ts'
import { Loading } from '../../ui/base/Loading.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Failed } from '../../ui/Failed.tsx'
import { LineList } from '../../ui/LineList.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { useFailure } from '../../ui/use-failure.ts'
import { AccountLine } from './AccountLine.tsx'
import { PasskeyLine, PasskeysLine } from './Passkeys.tsx'
import { account, useBeginTotp, useMakeRecoveryCodes, useRemoveTotp } from './queries.ts'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { SetUpApp } from './SetUpApp.tsx'

/** Few enough to make new ones soon. */
const FEW_CODES = 3

/** The part of an account in which its second factors are added and removed. */
export function SecondFactor() {
  const own = useQuery(account)
  const failure = useFailure(own)
  const [codes, setCodes] = useState<string[] | null>(null)
  const username = own.data?.user.username ?? ''

  return (
    <Paper component="section" p="lg" aria-labelledby="second-factor">
      <Stack gap={20}>
        <div>
          <Title order={2} size="h3" id="second-factor">
            Second factor
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            What you show after your password when you sign in. Your password alone then opens nothing.
          </Text>
        </div>
        {own.data ? (
          <Lines factors={own.data.second_factor} onCodes={setCodes} />
        ) : failure ? (
          <Failed
            error={failure}
            title="Failed to load your second factor"
            retrying={own.isFetching}
            onRetry={() => void own.refetch()}
          >
            {messageOf(failure, 'It could not be fetched. Check the connection, then try again.')}
          </Failed>
        ) : (
          <Loading label="Loading your second factor..." />
        )}
      </Stack>
      {codes ? <RecoveryCodesDialog codes={codes} username={username} onClose={() => setCodes(null)} /> : null}
    </Paper>
  )
}

type OnCodes = (codes: string[]) => void

function Lines({ factors, onCodes }: { factors: AccountFactors; onCodes: OnCodes }) {
  const isOn = factors.totp || factors.passkeys.length > 0
  return (
    <>
      {factors.is_required && !isOn ? (
        <Notice tone="warn">An administrator requires a second factor. Add one to go on.</Notice>
      ) : null}
      <LineList>
        <PasskeysLine count={factors.passkeys.length} onCodes={onCodes} />
        {factors.passkeys.map((passkey) => (
          <PasskeyLine key={passkey.id} passkey={passkey} />
        ))}
        <AppLine isOn={factors.totp} onCodes={onCodes} />
        {isOn ? <CodesLine left={factors.recovery_codes_left} onCodes={onCodes} /> : null}
      </LineList>
    </>
  )
}

function AppLine({ isOn, onCodes }: { isOn: boolean; onCodes: OnCodes }) {
  const begin = useBeginTotp()
  const remove = useRemoveTotp()
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null)

  const handleSetUp = () =>
    begin.mutate(undefined, {
      onSuccess: setSecret,
      onError: (error) => toast.error(messageOf(error, 'The app could not be set up')),
    })

  async function handleRemove() {
    const isMeant = await confirm({
      title: 'Remove the app?',
      body: 'Its codes will not be asked for any more. Without another second factor your recovery codes go with it.',
      confirmLabel: 'Remove app',
      danger: true,
    })
    if (!isMeant) return
    remove.mutate(undefined, {
      onSuccess: () => toast.success('App removed'),
      onError: (error) => toast.error(messageOf(error, 'The app could not be removed')),
    })
  }

  return (
    <AccountLine
      name="App that shows codes"
      isOn={isOn}
      facts="Such as Aegis, 2FAS, Google Authenticator or a password manager: six digits, new every 30 seconds."
    >
      {isOn ? (
        <Button
          variant="default"
          flex="none"
          aria-label="Remove the app"
          loading={remove.isPending}
          onClick={() => void handleRemove()}
        >
          Remove
        </Button>
      ) : (
        <Button variant="default" flex="none" loading={begin.isPending} onClick={handleSetUp}>
          Set up an app
        </Button>
      )}
      {secret ? (
        <SetUpApp
          {...secret}
          onClose={() => setSecret(null)}
          onDone={(codes) => {
            setSecret(null)
            if (codes) onCodes(codes)
            else toast.success('The app is set up')
          }}
          onDoneUnseen={() => {
            setSecret(null)
            toast.error('The app is set up, but its recovery codes could not be shown. Make new codes now.')
          }}
        />
      ) : null}
    </AccountLine>
  )
}

function CodesLine({ left, onCodes }: { left: number; onCodes: OnCodes }) {
  const make = useMakeRecoveryCodes()

  async function handleMake() {
    const isMeant =
      left === 0 ||
      (await confirm({
        title: 'Make new recovery codes?',
        body: 'The codes that you have will not work any more.',
        confirmLabel: 'Make new codes',
      }))
    if (!isMeant) return
    make.mutate(undefined, {
      onSuccess: onCodes,
      onError: (error) => toast.error(messageOf(error, 'New codes could not be made')),
    })
  }

  return (
    <AccountLine
      name="Recovery codes"
      facts={
        <>
          {left === 1 ? '1 code is' : `${left} codes are`} left. Each signs you in once, if you lose your second factor.
          {left < FEW_CODES ? ' Make new ones soon.' : null}
        </>
      }
    >
      <Button variant="default" flex="none" loading={make.isPending} onClick={() => void handleMake()}>
        New codes
      </Button>
    </AccountLine>
  )
}
