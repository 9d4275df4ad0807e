import { expect, test } from 'vitest'
import { buildHost, buildPhone, buildRoomUser, call } from '../factories/accounts.ts'
import { setupNodes } from './setup.ts'

const { a, b } = await setupNodes()

test('a word and its confirmations are the same at two servers, and of two that are sent together one stands', async () => {
  const host = await buildHost(a)
  const phones = [
    await buildPhone(a, host, await buildRoomUser(a, host)),
    await buildPhone(b, host, await buildRoomUser(b, host)),
  ]
  const send = (node: typeof a, body: object) => call(node, 'PUT', '/host/word', { as: host, body })
  const words = async (node: typeof a) => (await call(node, 'GET', '/host/online-users', { as: host })).body.words
  const word = { text: 'Can you hear me?', rings: false, asks: true, expect: { word: null } }
  await expect.poll(() => words(b)).toEqual([])
  const answers = await Promise.all([send(a, word), send(b, word)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [{ id }] = await words(answers[0]?.status === 200 ? a : b)
  for (const [index, node] of [b, a].entries()) {
    const as = phones[index] ?? null
    const answer = await call(node, 'POST', `/mobile/words/${id}/confirm`, { as, body: { answer: 'badly' } })
    expect(answer.body.data?.words.list).toMatchObject([{ id, answer: 'badly' }])
  }
  for (const node of [a, b]) await expect.poll(() => words(node)).toMatchObject([{ id, read: 2, badly: 2 }])
  expect((await call(b, 'DELETE', `/host/words/${id}`, { as: host })).status).toBe(200)
  await expect.poll(() => words(a)).toEqual([])
})
