import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { LiveRoom } from '../../../server/features/live-room/live-room.ts'
import { buildHost, buildRoomUser, call } from '../../../test/factories/accounts.ts'
import { openPage } from '../../../test/pages/page.tsx'
import { setup } from '../../../test/servers/setup.ts'

const server = await setup()

test('a room whose server cannot reach the others says so, until it can', async () => {
  const host = await buildHost(server)
  const user = await buildRoomUser(server, host)
  const inStep = vi.spyOn(LiveRoom.prototype, 'isInStep', 'get').mockReturnValue(false)
  openPage(server, '/host/online', { ...host, role: 'host' })
  await screen.findByText('This room is not in step with other servers')
  inStep.mockRestore()
  await call(server, 'POST', `/host/users/${user.id}/mute`, { as: host })
  await expect.poll(() => screen.queryByText('This room is not in step with other servers')).toBeNull()
})
