import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { call } from '../../../../test/factories/accounts.ts'
import { host, join, openOnline, server, setupOnline } from '../../../../test/pages/online-page.ts'
import { expectToast, inDialog, press } from '../../../../test/pages/page.tsx'

await setupOnline()

const lines = () => screen.queryAllByRole('listitem').filter((one) => one.closest('[aria-label="Words on phones"]'))
const listed = () => lines().map(({ textContent }) => textContent)
const standing = async () => (await call(server, 'GET', '/host/online-users', { as: host })).body.words

test('a word goes to the room, is counted as it is read and answered, and is taken back', async () => {
  const [amina, ben] = await join('amina', 'ben')
  const { user } = await openOnline()
  await press(user, 'Send a word')
  const dialog = await inDialog('A word to the room')
  await press(user, 'Send', dialog)
  await dialog.findByText('Enter a word')
  await press(user, 'Can you hear me?', dialog)
  const field = dialog.getByRole('textbox', { name: 'What the phones show' })
  expect(document.activeElement).toBe(field)
  dialog.getByText('16 of 200 characters')
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: /^Ask how well/ }).checked).toBe(true)
  await user.click(dialog.getByRole('checkbox', { name: /^Ring/ }))
  await user.type(field, '{Enter}')
  await expectToast('Word sent to 2 phones')
  await waitFor(() =>
    expect(listed()).toEqual(['Everyone Can you hear me?Read by 0 of 2 · hear well 0, badly 0Take back']),
  )
  const [{ id, rings, asks }] = await standing()
  expect([rings, asks]).toEqual([true, true])
  for (const [as, body] of [
    [amina, { answer: 'well' }],
    [ben, undefined],
  ] as const)
    await call(server, 'POST', `/mobile/words/${id}/confirm`, { as: as ?? null, ...(body && { body }) })
  await screen.findByText('Read by 2 of 2 · hear well 1, badly 0')
  await press(user, 'Take back the word to everyone')
  await waitFor(() => expect(lines()).toEqual([]))
  expect(await standing()).toEqual([])
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Send a word'))
})

test('a word to one user is sent from the menu, and cleared once it is read', async () => {
  const [amina] = await join('amina')
  const { user, choose } = await openOnline()
  await choose('amina', 'Send a word…')
  const dialog = await inDialog('A word to amina')
  await user.type(dialog.getByRole('textbox'), 'Two{Shift>}{Enter}{/Shift}')
  await expectToast('Word sent to amina')
  await waitFor(() => expect(listed()).toEqual(['amina TwoNot read yetTake back']))
  const [{ id }] = await standing()
  await call(server, 'POST', `/mobile/words/${id}/confirm`, { as: amina ?? null })
  await waitFor(() => expect(listed()).toEqual(['amina TwoReadClear']))
  await press(user, 'Clear the word to amina')
  await waitFor(() => expect(lines()).toEqual([]))
})

test('a word that another has sent in between is named, and replaced only by the next press', async () => {
  await join('amina')
  const { user } = await openOnline()
  await press(user, 'Send a word')
  const dialog = await inDialog('A word to the room')
  await call(server, 'PUT', '/host/word', { as: host, body: { text: 'Theirs', rings: false, asks: false } })
  await screen.findByText('Read by 0 of 1')
  await press(user, 'We begin in five minutes', dialog)
  await press(user, 'Send', dialog)
  await dialog.findByText(/has sent a word there already/)
  dialog.getByText('Theirs')
  expect(await standing()).toMatchObject([{ text: 'Theirs' }])
  await press(user, 'Send', dialog)
  await expectToast('Word sent to 1 phone')
  expect(await standing()).toMatchObject([{ text: 'We begin in five minutes' }])
  await press(user, 'Send a word')
  const lastUsed = (await inDialog('A word to the room')).getByRole('group', { name: 'Ready lines' })
  expect(within(lastUsed).getAllByRole('button')[0]?.textContent).toBe('We begin in five minutes')
})
