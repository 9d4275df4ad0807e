/** Bytes. Smaller answers fit into the system's own buffer of a connection, whether they are read or not. */
export const LARGE_ANSWER_BYTES = 16_384
