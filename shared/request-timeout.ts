/** The status of a call that did not arrive: also of one that met the end of an idle connection's time. */
export const REQUEST_TIMEOUT = 408
