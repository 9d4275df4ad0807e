const refuse = () => () => {
  throw new Error('Schemas are compiled by Zod')
}

/** Prevents Fastify from loading its own compilers at every start: 120 modules that none of our routes uses. */
export const NO_AJV = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } }
