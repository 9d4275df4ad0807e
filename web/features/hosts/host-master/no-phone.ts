/** Explains why the phone cannot be changed. */
export const NO_PHONE_REASON = 'No phone has signed in yet'

/** Looks disabled, but takes the focus, so that the reason can be read by keyboard. */
export const noPhoneButtonProps = {
  'data-disabled': true,
  'aria-disabled': true,
  'aria-description': NO_PHONE_REASON,
} as const
