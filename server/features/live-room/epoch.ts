import { randomToken } from '../../lib/secrets.ts'

/** `-` divides epoch and number in event ids. */
export const newEpoch = () => randomToken(6).replaceAll('-', '_')
