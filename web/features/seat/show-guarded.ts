import { gatherToasts, joinNames } from '../../ui/gathered-toast.ts'

/** Says whom the seat has muted again under Mute All. */
export const showGuarded = gatherToasts(
  (names) =>
    `${joinNames(names)} unmuted in Zoom under Mute All, and ${names.length === 1 ? 'was' : 'were'} muted again.`,
)
