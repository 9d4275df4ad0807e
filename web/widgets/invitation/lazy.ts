import { lazy } from 'react'

/** Apart from the pages: it brings what draws QR codes. */
export const InvitationDialog = lazy(async () => ({
  default: (await import('./InvitationDialog.tsx')).InvitationDialog,
}))
