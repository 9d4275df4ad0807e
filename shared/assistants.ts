import { z } from 'zod'
import { AssistantRole } from './auth.ts'
import { answer, Time } from './envelope.ts'
import { tooLongMessage } from './too-long-message.ts'
import { refuseMixedAlphabets, visible } from './visible.ts'

/** The most assistants of one host. */
export const ASSISTANTS_MAX = 20

export const Assistant = z.object({
  id: z.string(),
  name: z.string(),
  role: AssistantRole,
  login_name: z.string(), // NAME@HOSTNAME
  is_active: z.boolean(), // has set a password, and may sign in
  has_second_factor: z.boolean(),
  created_at: Time,
  last_active_at: Time.nullable(), // null before the first sign-in
  invited_until: Time.nullable(), // the end of an open invitation link
})
export type Assistant = z.infer<typeof Assistant>

const Name = z
  .string('Name is required')
  .trim()
  .min(2, 'The name must have 2 to 32 characters')
  .max(32, tooLongMessage(32))
  .superRefine(visible)
  .superRefine(refuseMixedAlphabets)
  .refine((name) => !name.normalize('NFKC').includes('@'), 'The name must not hold an @')
const ChosenRole = z.enum(AssistantRole.options, 'Choose a role')

export const AddAssistant = z.object({ name: Name, role: ChosenRole })
export type AddAssistant = z.infer<typeof AddAssistant>
export const EditAssistant = AddAssistant.partial()
export type EditAssistant = z.infer<typeof EditAssistant>

/** An absent body is read as null. */
export const InviteAssistant = z.object({ remove_second_factor: z.boolean().default(false) }).nullish()

export const AssistantsAnswer = answer(z.object({ assistants: z.array(Assistant) }))
export const AssistantAnswer = answer(z.object({ assistant: Assistant }))
/** `url` is shown once, to the host who made the link. */
export const AssistantLinkAnswer = answer(z.object({ url: z.string(), expires_at: Time }))
export const AddedAssistantAnswer = answer(z.object({ assistant: Assistant, url: z.string(), expires_at: Time }))
