import { z } from 'zod'
import { answer } from './envelope.ts'
import { normaliseForComparison, visibleForm } from './normalise.ts'
import { tooLongMessage } from './too-long-message.ts'
import { visible } from './visible.ts'

export const GROUP_COLOURS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'grey'] as const
export const GroupColour = z.enum(GROUP_COLOURS, 'Choose one of the colours')
export type GroupColour = z.infer<typeof GroupColour>

/** The most that a room may have. */
export const GROUPS_MAX = 50
/** The most that one user may be in. */
export const GROUPS_OF_USER_MAX = 10
export const GROUP_NAME_MAX = 40

export const TOO_MANY_GROUPS = `A room has at most ${GROUPS_MAX} groups. Delete one first.`
export const TOO_MANY_GROUPS_OF_USER = `A user is in at most ${GROUPS_OF_USER_MAX} groups`

/** Separates the names of groups in a file. */
export const GROUP_SEPARATOR = ';'

export const GroupName = z
  .string('Name is required')
  .trim()
  .min(1, 'Name is required')
  .max(GROUP_NAME_MAX, tooLongMessage(GROUP_NAME_MAX))
  .refine((name) => !name.includes(GROUP_SEPARATOR), 'A name cannot contain a semicolon')
  .superRefine(visible)

export const UserGroup = z.object({
  id: z.string(),
  name: z.string(),
  colour: GroupColour.catch('grey'), // or a later release's colour
})
export type UserGroup = z.infer<typeof UserGroup>

export const GroupIds = z
  .array(z.uuid(), 'Choose groups from the list')
  .max(GROUPS_OF_USER_MAX, TOO_MANY_GROUPS_OF_USER)
  .describe('The `id`s of the groups of this user. Absent: as they are.')

/** The groups of an imported user, by name. */
export const GroupNames = z
  .array(GroupName, 'Groups are a list of names')
  .max(GROUPS_OF_USER_MAX, TOO_MANY_GROUPS_OF_USER)
  .describe('The names of the groups of this user. A group that does not exist is made.')

export const AddGroup = z.object({ name: GroupName, colour: GroupColour })
export type AddGroup = z.infer<typeof AddGroup>

/** Names the state that the caller saw; any other one is answered with 409 state_changed. */
const SeenGroup = z.object({ name: z.string().max(GROUP_NAME_MAX), colour: z.string().max(32) })
export const EditGroup = AddGroup.extend({ expect: SeenGroup.optional() })
export type EditGroup = z.infer<typeof EditGroup>

/** An absent body is read as null. */
export const DeleteGroup = z.object({ expect: SeenGroup.optional() }).nullish()

export const UserGroupAnswer = answer(z.object({ group: UserGroup }))
export const UserGroupsAnswer = answer(
  z.object({ groups: z.array(UserGroup.extend({ users: z.int().describe('How many users are in it.') })) }),
)

/** Compares names of groups: neither case nor Unicode form makes a difference. */
export function groupKey(name: string): string {
  return visibleForm(normaliseForComparison(name))
}
