import { expect, test } from 'vitest'
import { mutedAgainText } from './show-muted-again.ts'

test.each([
  [['Anita'], 'Anita opened the microphone in Zoom while muted. It was closed again.'],
  [['Anita', 'Ravi'], 'Anita and Ravi opened the microphone in Zoom while muted. All were closed again.'],
  [['Anita', 'Ravi', 'Ben'], 'Anita and 2 others opened the microphone in Zoom while muted. All were closed again.'],
])('names who opened the microphone: %j', (names, text) => {
  expect(mutedAgainText(names)).toBe(text)
})
