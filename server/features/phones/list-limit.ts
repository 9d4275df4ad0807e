/** The calls of a host for a list that may name all users of its room. Each console polls it four times a minute. */
export const LIST_LIMIT = { rateLimit: { max: 240 }, isCountedAlone: true }
