import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { uuidOr404 } from '../../lib/uuid.ts'
import { allow, signedInHost } from '../auth/guards.ts'
import * as api from './api.ts'
import { changeGroupUsers } from './group-users.ts'
import { addGroup, deleteGroup, editGroup } from './user-groups.ts'

const NOT_FOUND = 'Group not found'
const WRITES = { rateLimit: { max: 120 } }

export const userGroupRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    allow(app, deps, 'host', 'manager')

    app.get('/host/groups', { schema: api.listGroups }, async (request) => {
      const { host_id } = signedInHost(request)
      const room = deps.rooms.peekFresh(host_id) ?? (await deps.rooms.getFresh(host_id))
      const counts = new Map<string, number>()
      for (const { group_ids = [] } of room.roster())
        for (const id of group_ids) counts.set(id, (counts.get(id) ?? 0) + 1)
      const groups = room.groups.map((group) => ({ ...group, users: counts.get(group.id) ?? 0 }))
      return { success: true as const, data: { groups } }
    })

    app.post('/host/groups', { schema: api.addGroup, config: WRITES }, async (request) => {
      const group = await addGroup(deps, signedInHost(request), request.body)
      return { success: true as const, message: 'Group created', data: { group } }
    })

    app.put('/host/groups/:id', { schema: api.editGroup, config: WRITES }, async (request) => {
      const id = uuidOr404(request.params.id, NOT_FOUND)
      const group = await editGroup(deps, signedInHost(request), id, request.body)
      return { success: true as const, message: 'Group saved', data: { group } }
    })

    app.delete('/host/groups/:id', { schema: api.deleteGroup, config: WRITES }, async (request) => {
      const id = uuidOr404(request.params.id, NOT_FOUND)
      await deleteGroup(deps, signedInHost(request), id, request.body?.expect)
      return { success: true as const, message: 'Group deleted' }
    })

    app.post('/host/groups/:id/users', { schema: api.changeGroupUsers, config: WRITES }, async (request) => {
      const id = uuidOr404(request.params.id, NOT_FOUND)
      const data = await changeGroupUsers(deps, signedInHost(request), id, request.body)
      const { succeeded, failed } = data
      const message = `${succeeded.length} done${failed.length > 0 ? `, ${failed.length} failed` : ''}`
      return { success: true as const, message, data }
    })
  }
