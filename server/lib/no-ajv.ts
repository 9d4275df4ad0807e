const refuse = () => () => {
  throw new Error('Schemas are compiled by Zod')
}

/** Keeps Fastify from loading its own compilers at every start: 120 modules that no route of ours uses. */
export const NO_AJV = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } }
