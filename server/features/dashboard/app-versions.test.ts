import { expect, test } from 'vitest'
import { appVersions } from './app-versions.ts'

test.each([
  ['no phone has logged in', [null, null], { newest: null, older: 0 }],
  ['all are alike', ['2.4.1', null, '2.4.1'], { newest: '2.4.1', older: 0 }],
  ['numbers are compared as numbers', ['2.10.0', '2.9.3', '2.10.0', '2.9'], { newest: '2.10.0', older: 2 }],
  ['a missing part is the older one', ['2.4', '2.4.1'], { newest: '2.4.1', older: 1 }],
])('%s', (_, versions, expected) => {
  expect(appVersions(versions)).toEqual(expected)
})
