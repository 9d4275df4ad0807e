import { expect, test } from 'vitest'
import { buildHost, call } from '../../../test/factories/accounts.ts'
import { countLockWaits } from '../../../test/servers/lock-waits.ts'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()
const { db, sessions } = server.deps

test('Mute All does nothing after its session has ended while it waited for the room', async () => {
  const host = await buildHost(server)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (tx) => {
    await tx.selectFrom('rooms').select('id').where('host_id', '=', host.id).forUpdate().execute()
    hold()
    await released
  })
  await held
  const answer = call(server, 'POST', '/host/trigger-bulk-mute/mute', { as: host })
  await expect.poll(() => countLockWaits(db)).toBe(1)
  await sessions.end({ host_id: host.id }, 'signed_out')
  release()
  await holding
  expect(await answer).toMatchObject({ status: 401, body: { code: 'not_signed_in' } })
  const rows = db.selectFrom('rooms').select('host_mute_all_active').where('host_id', '=', host.id)
  expect(await rows.execute()).toEqual([{ host_mute_all_active: false }])
})
