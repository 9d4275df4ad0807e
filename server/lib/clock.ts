/** Milliseconds since 1970. Injected, so that tests can move it. */
export type Clock = () => number
