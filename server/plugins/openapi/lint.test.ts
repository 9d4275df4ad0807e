import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { setup } from '../../../test/servers/setup.ts'

/** Accepted problems: the product's own URLs, and the redirect that Zoom's consent page needs. */
const KNOWN = [
  'no-ambiguous-paths #/paths/~1api~1host~1users~1bulk~1{action}',
  'no-ambiguous-paths #/paths/~1api~1host~1users~1{id}~1credentials',
  'no-ambiguous-paths #/paths/~1api~1host~1users~1{id}~1erase',
  'no-ambiguous-paths #/paths/~1api~1host~1users~1{id}~1export',
  'no-ambiguous-paths #/paths/~1api~1host~1users~1{id}~1history',
  'no-ambiguous-paths #/paths/~1api~1host~1users~1{id}~1sign-in-link',
  'no-ambiguous-paths #/paths/~1api~1host~1users~1{id}~1word',
  'operation-2xx-response #/paths/~1api~1oauth~1callback/get/responses',
]

const server = await setup()

test("the document passes Redocly's recommended rules", async () => {
  const { body } = await server.app.inject({ url: '/api/openapi.json', headers: { host: 'localhost:3000' } })

  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: body, absoluteRef: '/openapi.json', config })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const warnings = problems.map(({ ruleId, location: [at] }) => `${ruleId} ${at?.pointer}`)
  expect(warnings.sort()).toEqual(KNOWN)
})
