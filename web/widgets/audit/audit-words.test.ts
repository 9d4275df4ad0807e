import { expect, test } from 'vitest'
import { auditActionText } from './audit-words.ts'

test.each([
  ['profile_stop', 'Room stopped'],
  ['host_edited', 'Host edited'],
  ['subscription_date_set', 'Subscription date set'],
  ['constructor', 'Constructor'],
])('%s reads %s', (action, words) => {
  expect(auditActionText(action)).toBe(words)
})
