import type { AssistantRole } from '../../../shared/auth.ts'

export const ROLE_CHOICES: { value: AssistantRole; label: string }[] = [
  { value: 'moderator', label: 'Moderator' },
  { value: 'manager', label: 'Manager' },
]
