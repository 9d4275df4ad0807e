import type { FastifySchema } from 'fastify'
import { ById, Done } from '../../../shared/envelope.ts'
import { ID, soloists } from '../../../shared/examples.ts'
import { ChangeGroupUsers, GroupUsersAnswer } from '../../../shared/group-members.ts'
import { AddGroup, DeleteGroup, EditGroup, UserGroupAnswer, UserGroupsAnswer } from '../../../shared/user-groups.ts'
import { withExample } from '../../lib/with-example.ts'

const tags = ['Room users']
const OneGroup = withExample(ById, { id: ID.group })
const { name, colour } = soloists

export const listGroups = {
  tags,
  operationId: 'listGroups',
  summary: 'List the groups of users',
  description:
    "By name, with the number of users in each. The lists of users have all groups too, and each user's `group_ids`.",
  response: { 200: withExample(UserGroupsAnswer, { success: true, data: { groups: [{ ...soloists, users: 12 }] } }) },
} satisfies FastifySchema

export const addGroup = {
  tags,
  operationId: 'addGroup',
  summary: 'Add a group of users',
  description:
    'A room has at most 50. `name` is unique within the host, without regard to case and Unicode form, and has no semicolon.',
  body: withExample(AddGroup, { name: 'Basses', colour: 'blue' }),
  response: {
    200: withExample(UserGroupAnswer, {
      success: true,
      message: 'Group created',
      data: { group: { ...soloists, name: 'Basses', colour: 'blue' } },
    }),
  },
  failures: ['conflict', 'too_many'],
} satisfies FastifySchema

export const editGroup = {
  tags,
  operationId: 'editGroup',
  summary: 'Rename or recolour a group',
  description: 'With `expect`, nothing is saved if the group has changed since.',
  params: OneGroup,
  body: withExample(EditGroup, { name: 'Solo voices', colour: 'violet' }),
  response: {
    200: withExample(UserGroupAnswer, {
      success: true,
      message: 'Group saved',
      data: { group: { ...soloists, name: 'Solo voices', colour: 'violet' } },
    }),
  },
  failures: ['conflict', 'state_changed', 'too_many'],
} satisfies FastifySchema

export const deleteGroup = {
  tags,
  operationId: 'deleteGroup',
  summary: 'Delete a group',
  description: 'Its users stay, without it. With `expect`, nothing is deleted if the group has changed since.',
  params: OneGroup,
  body: withExample(DeleteGroup, { expect: { name, colour } }),
  response: { 200: withExample(Done, { success: true, message: 'Group deleted' }) },
  failures: ['state_changed', 'too_many'],
} satisfies FastifySchema

export const changeGroupUsers = {
  tags,
  operationId: 'changeGroupUsers',
  summary: 'Add users to a group, or take them out',
  description:
    'At most 500 users, in one transaction. A user who already is as the call wants succeeds; one who is in 10 groups, and ' +
    "another host's, is reported by its `id` and does not stop the others.",
  params: OneGroup,
  body: withExample(ChangeGroupUsers, { userIds: [ID.anita, ID.master], change: 'add' }),
  response: {
    200: withExample(GroupUsersAnswer, {
      success: true,
      message: '1 done, 1 failed',
      data: { succeeded: [ID.anita], failed: [{ id: ID.master, code: 'not_found', message: 'User not found' }] },
    }),
  },
  failures: ['too_many'],
} satisfies FastifySchema
