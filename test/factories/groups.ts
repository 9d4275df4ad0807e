import { type AddGroup, type UserGroup, UserGroupAnswer } from '../../shared/user-groups.ts'
import type { TestServer } from '../servers/start.ts'
import { call, type SignedIn } from './accounts.ts'

let count = 0

export async function addGroup(
  server: Pick<TestServer, 'app'>,
  as: SignedIn,
  given: Partial<AddGroup> = {},
): Promise<UserGroup> {
  const body = { name: `Group ${++count}`, colour: 'teal', ...given }
  return UserGroupAnswer.parse((await call(server, 'POST', '/host/groups', { as, body })).body).data.group
}
