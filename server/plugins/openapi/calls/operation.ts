import { z } from 'zod'
import type { Calls } from '../call.ts'

export const operationCalls: Calls = {
  'GET /openapi.json': {
    tag: 'Operation',
    name: 'getDocument',
    summary: 'Read this document',
    answer: { openapi: '3.1.0', info: { title: 'Parley', version: '0.1.0' }, paths: {} },
    schemas: { answer: z.looseObject({ openapi: z.string() }) },
  },
}
