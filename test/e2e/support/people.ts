import type { SimulatedPhone } from '../../../simulator/phone.ts'
import { signInPhone } from '../../../simulator/sign-in.ts'
import { http, type ServerProcess } from '../../servers/server-process.ts'
import type { TestHost } from './hosts.ts'

export interface Person {
  id: string
  user_id: string
  username: string
  password: string
}

/** Adds users with these names to the host's room, with `U000001` and so on, in this order. */
export async function addPeople(
  server: ServerProcess,
  { token }: TestHost,
  names: readonly string[],
  fieldsOf: (name: string, index: number) => object = () => ({}),
): Promise<Person[]> {
  const users = names.map((username, index) => ({
    username,
    user_id: `U${String(index + 1).padStart(6, '0')}`,
    password: `${username}-password`,
    ...fieldsOf(username, index),
  }))
  const added = await http(server, 'POST', '/host/users/import', { token, body: { users } })
  if (added.status !== 200) throw new Error(`No user could be added: ${JSON.stringify(added.body)}`)
  const listed: Person[] = (await http(server, 'GET', '/host/users', { token })).body.data.users
  return users.map((user) => {
    const found = listed.find(({ user_id }) => user_id === user.user_id)
    if (!found) throw new Error(`${user.username} was not added`)
    return { ...user, id: found.id }
  })
}

/** Signs in the person's phone and opens its stream. */
export async function openPhone(
  { port }: ServerProcess,
  host: TestHost,
  { username, password }: Pick<Person, 'username' | 'password'>,
): Promise<SimulatedPhone> {
  const phone = await signInPhone({ baseUrl: `http://127.0.0.1:${port}`, hostId: host.user_id, username, password })
  await phone.openStream()
  return phone
}

/** Makes a one-time link for the person. */
export async function makeLink(
  server: ServerProcess,
  { token }: TestHost,
  { id }: Pick<Person, 'id'>,
): Promise<string> {
  return (await http(server, 'POST', `/host/users/${id}/sign-in-link`, { token })).body.data.url
}
