import type { AuditKind } from '../../../shared/audit.ts'

export const KIND_LABELS: Record<AuditKind, string> = {
  sign_ins: 'Signing in and out',
  mutes: 'Muting',
  users: 'Users',
  meetings: 'Meetings and recordings',
  account: 'Account and subscription',
  exports: 'Downloads',
}
