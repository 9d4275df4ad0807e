import { lazy } from 'react'

/** A chunk of its own, since it contains the QR code renderer. */
export const LazyInvitationDialog = lazy(async () => ({
  default: (await import('./InvitationDialog.tsx')).InvitationDialog,
}))
