import type { FastifySchema } from 'fastify'
import { Security, SecurityAnswer } from '../../../shared/second-factor.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Account']
const example = { require_second_factor: 'nobody' as const }

export const getSecurity = {
  tags,
  operationId: 'getSecurity',
  summary: 'Get who must have a second factor',
  response: { 200: withExample(SecurityAnswer, { success: true, data: example }) },
} satisfies FastifySchema

export const setSecurity = {
  tags,
  operationId: 'setSecurity',
  summary: 'Set who must have a second factor',
  description:
    'Of `masters_and_hosts`, hosts include their assistants. An account that must have one and has none can only add ' +
    'it: other calls are refused with `second_factor_required`, from the next one of every session. Only a master ' +
    'with a second factor may change this.',
  body: withExample(Security, example),
  response: { 200: withExample(SecurityAnswer, { success: true, data: example }) },
  failures: ['conflict'],
} satisfies FastifySchema
