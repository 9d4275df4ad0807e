import type { FastifySchema } from 'fastify'
import { ById, Done } from '../../../shared/envelope.ts'
import { CODE, ID, NOON, newPasskey, newPasskeyOptions, RECOVERY_CODE } from '../../../shared/examples.ts'
import { AddPasskey } from '../../../shared/passkeys.ts'
import {
  ConfirmTotp,
  NewTotpAnswer,
  PasskeyAddedAnswer,
  PasskeyOptionsAnswer,
  RecoveryCodesAnswer,
  TotpOnAnswer,
} from '../../../shared/second-factor.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Account']

export const beginTotp = {
  tags,
  operationId: 'beginTotp',
  summary: 'Begin to set up an app that shows codes',
  description:
    'Replaces a set-up that was begun before, and runs out after ten minutes. `uri` is what the QR code holds: ' +
    'SHA-1, 6 digits, 30 s.',
  response: {
    200: withExample(NewTotpAnswer, {
      success: true,
      data: {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/Parley:stmary?issuer=Parley&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
      },
    }),
  },
  failures: ['conflict'],
} satisfies FastifySchema

export const confirmTotp = {
  tags,
  operationId: 'confirmTotp',
  summary: 'Turn on the app with a first code of it',
  description: 'Returns ten recovery codes, unless the account has some: they are shown this once.',
  body: withExample(ConfirmTotp, { code: CODE }),
  response: { 200: withExample(TotpOnAnswer, { success: true, data: { recovery_codes: [RECOVERY_CODE] } }) },
  failures: ['second_factor_wrong', 'conflict', 'busy'],
} satisfies FastifySchema

export const removeTotp = {
  tags,
  operationId: 'removeTotp',
  summary: 'Remove the app that shows codes',
  description: 'Without another factor the recovery codes go with it. The last one stays where one is required.',
  response: { 200: withExample(Done, { success: true, message: 'App removed' }) },
  failures: ['not_found', 'conflict'],
} satisfies FastifySchema

export const makeRecoveryCodes = {
  tags,
  operationId: 'makeRecoveryCodes',
  summary: 'Make ten new recovery codes',
  description: 'The old ones are void. Each signs in once, in place of the second factor.',
  response: { 200: withExample(RecoveryCodesAnswer, { success: true, data: { recovery_codes: [RECOVERY_CODE] } }) },
  failures: ['conflict', 'busy'],
} satisfies FastifySchema

export const beginPasskey = {
  tags,
  operationId: 'beginPasskey',
  summary: 'Get what a browser needs to make a passkey',
  description:
    'For `navigator.credentials.create`. They last five minutes, for one passkey in this session, which works at this ' +
    'site alone.',
  response: {
    200: withExample(PasskeyOptionsAnswer, { success: true, data: { passkey_options: newPasskeyOptions } }),
  },
  failures: ['conflict'],
} satisfies FastifySchema

export const addPasskey = {
  tags,
  operationId: 'addPasskey',
  summary: 'Add a passkey',
  description: 'Returns ten recovery codes too, unless the account has some. An account has at most ten passkeys.',
  body: withExample(AddPasskey, { name: 'Laptop', passkey: newPasskey }),
  response: {
    200: withExample(PasskeyAddedAnswer, {
      success: true,
      data: {
        passkey: { id: ID.passkey, name: 'Laptop', created_at: NOON, last_used_at: null, usable_here: true },
        recovery_codes: [RECOVERY_CODE],
      },
    }),
  },
  failures: ['second_factor_wrong', 'challenge_expired', 'conflict', 'busy'],
} satisfies FastifySchema

export const removePasskey = {
  tags,
  operationId: 'removePasskey',
  summary: 'Remove a passkey',
  description: 'Without another factor the recovery codes go with it. The last one stays where one is required.',
  params: withExample(ById, { id: ID.passkey }),
  response: { 200: withExample(Done, { success: true, message: 'Passkey removed' }) },
  failures: ['not_found', 'conflict'],
} satisfies FastifySchema
