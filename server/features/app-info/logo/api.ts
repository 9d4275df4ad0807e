import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { AppInfoAnswer } from '../../../../shared/app-info.ts'
import { appInfo } from '../../../../shared/examples.ts'
import { withExample } from '../../../lib/with-example.ts'

const LogoForm = z.object({ logo: z.file() })

export const uploadLogo = {
  tags: ['Profile'],
  operationId: 'uploadLogo',
  summary: 'Upload the logo of the phone app',
  description:
    'A form (`multipart/form-data`) with the picture in the field `logo`: a PNG, JPEG or WebP of at most 1 MB and ' +
    '2048 × 2048 pixels. It is encoded again, without metadata, with 512 pixels a side at most. ' +
    'Off unless the installation turns it on.',
  consumes: ['multipart/form-data'],
  body: LogoForm,
  response: {
    200: withExample(AppInfoAnswer, {
      success: true,
      message: 'Logo uploaded',
      appInfo: { ...appInfo, logo_url: '/logos/0f343b0931126a20f133d67c2b018a3b.png' },
    }),
  },
  failures: ['feature_off', 'not_multipart', 'invalid_input'],
} satisfies FastifySchema
