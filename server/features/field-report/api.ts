import type { FastifySchema } from 'fastify'
import { FieldReportAnswer } from '../../../shared/field-report.ts'
import { withExample } from '../../lib/with-example.ts'

export const getFieldReport = {
  tags: ['Masters'],
  operationId: 'getFieldReport',
  summary: 'Get what this server saw of Zoom, as a text',
  description:
    'For whoever looks into a first meeting: versions, the last calls to Zoom with their times and codes, the events ' +
    'that came and how late, the tickets that phones asked for, and the codes with which Zoom refused them. Each ' +
    'server knows its own calls; the events are those of the installation.',
  response: {
    200: withExample(FieldReportAnswer, {
      success: true,
      data: { file_name: 'parley-server-2026-11-20T1200.txt', text: 'Field report of a Parley server\n' },
    }),
  },
} satisfies FastifySchema
