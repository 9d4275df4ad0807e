/** Returns milliseconds since 1970. Injected, so that tests can change it. */
export type Clock = () => number
