import { registerHooks } from 'node:module'

// Named by --import, replaces '@node-rs/argon2' in a server process as vitest.config.ts does in Vitest.

const QUICK = new URL('quick-argon2.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@node-rs/argon2' && context.parentURL !== QUICK) return next(QUICK, context)
    return next(specifier, context)
  },
})
