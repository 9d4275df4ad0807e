import { randomToken } from '../../../lib/secrets.ts'

/** `-` separates epoch and number in event ids. */
export const newEpoch = () => randomToken(6).replaceAll('-', '_')
