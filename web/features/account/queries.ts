import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  AccountAnswer,
  AccountSessionsAnswer,
  type ChangePassword,
  ConfirmedAnswer,
  ConfirmOptionsAnswer,
  EndedSessionsAnswer,
} from '../../../shared/account.ts'
import { Done } from '../../../shared/envelope.ts'
import {
  NewTotpAnswer,
  PasskeyAddedAnswer,
  PasskeyOptionsAnswer,
  RecoveryCodesAnswer,
  TotpOnAnswer,
} from '../../../shared/second-factor.ts'
import { ApiError, api, isFactorRequired, messageOf } from '../../lib/api-client.ts'
import { askForPasskey, makePasskey, passkeyRefusal } from '../../lib/passkeys.ts'

export const account = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await api(AccountAnswer, 'GET', '/account', undefined, { signal })).data,
})

export const sessions = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) =>
    (await api(AccountSessionsAnswer, 'GET', '/account/sessions', undefined, { signal })).data.sessions,
})

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (passwords: ChangePassword) => api(Done, 'POST', '/account/password', passwords, { adds: true }),
    onSettled: () => client.invalidateQueries({ queryKey: account.queryKey }),
  })
}

/** The key of an app, for its set-up. */
export function useBeginTotp() {
  return useMutation({
    mutationFn: async () => (await api(NewTotpAnswer, 'POST', '/account/totp', undefined, { isSecret: true })).data,
  })
}

export function useConfirmTotp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (code: string) =>
      (await api(TotpOnAnswer, 'POST', '/account/totp/confirm', { code }, { isSecret: true })).data.recovery_codes,
    onSettled: () => refetchFactors(client),
  })
}

export function useRemoveTotp() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => removed(api(Done, 'DELETE', '/account/totp')),
    onSettled: () => client.invalidateQueries({ queryKey: account.queryKey, exact: true }),
  })
}

export function useMakeRecoveryCodes() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () =>
      (await api(RecoveryCodesAnswer, 'POST', '/account/recovery-codes', undefined, { isSecret: true })).data
        .recovery_codes,
    onSettled: () => client.invalidateQueries({ queryKey: account.queryKey, exact: true }),
  })
}

/** Fetches the factors again, and after them what was refused without one. */
async function refetchFactors(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: account.queryKey, exact: true })
  void client.invalidateQueries({ predicate: ({ state }) => isFactorRequired(state.error) })
}

/** Succeeds too if it has gone meanwhile. */
async function removed(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
}

export function useConfirm() {
  return useMutation({
    mutationFn: (password: string) =>
      api(ConfirmedAnswer, 'POST', '/account/confirm', { password }, { isSecret: true }),
  })
}

/** Asks for a passkey at once: the press of a button is what browsers want to see before. */
export function useConfirmByPasskey() {
  return useMutation({
    mutationFn: async () => {
      const options = await api(ConfirmOptionsAnswer, 'POST', '/account/confirm/options', undefined, { isSecret: true })
      if (!options.data.passkey_options) throw new ApiError(0, 'No passkey works at this address.')
      const passkey = await askForPasskey(options.data.passkey_options)
      await api(ConfirmedAnswer, 'POST', '/account/confirm', { passkey }, { isSecret: true })
    },
  })
}

export function useAddPasskey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) => {
      const options = await api(PasskeyOptionsAnswer, 'POST', '/account/passkeys/options', undefined, {
        isSecret: true,
      })
      const passkey = await makePasskey(options.data.passkey_options)
      return (await api(PasskeyAddedAnswer, 'POST', '/account/passkeys', { name, passkey }, { isSecret: true })).data
        .recovery_codes
    },
    onSettled: () => refetchFactors(client),
  })
}

export function useRemovePasskey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => removed(api(Done, 'DELETE', `/account/passkeys/${id}`)),
    onSettled: () => client.invalidateQueries({ queryKey: account.queryKey, exact: true }),
  })
}

export const passkeyFailure = (error: unknown) =>
  passkeyRefusal(error) ?? messageOf(error, 'The passkey could not be used. Please try again.')

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => removed(api(Done, 'DELETE', `/account/sessions/${id}`)),
    onSettled: () => client.invalidateQueries({ queryKey: sessions.queryKey }),
  })
}

export function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await api(EndedSessionsAnswer, 'POST', '/account/sessions/end-others')).data.ended,
    onSettled: () => client.invalidateQueries({ queryKey: sessions.queryKey }),
  })
}
