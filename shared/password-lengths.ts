// This file avoids Zod, since the small page that sets a password with a link imports it too.

/** The shortest password that owners may choose for themselves. */
export const OWN_PASSWORD_MIN = 8
