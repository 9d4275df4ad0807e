import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { join, openOnline, raiseHand, setupOnline } from '../../../../test/pages/online-page.ts'
import { stubSound } from '../../../../test/pages/stub-sound.ts'

await setupOnline()

test('a raised hand is heard where the host has chosen it', async () => {
  const note = stubSound()
  const [amina, ben] = await join('amina', 'ben')
  if (!amina || !ben) throw new Error('no phones')
  const { user } = await openOnline()
  await raiseHand(amina)
  await screen.findByText('Wants to speak')
  await user.click(screen.getByRole('checkbox', { name: 'Sound for a raised hand' }))
  await waitFor(() => expect(note).toHaveBeenCalledTimes(2)) // a sample
  await raiseHand(ben)
  await waitFor(() => expect(note).toHaveBeenCalledTimes(4))
})
