import type { FastifyInstance } from 'fastify'

/** Stops the start when a route does not state who may call it. */
export function requireDeclaredAccess(app: FastifyInstance): void {
  const routes: { name: string; access: () => unknown }[] = []
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/api/')) return
    routes.push({ name: `${route.method} ${route.url}`, access: () => route.config?.access })
  })
  app.addHook('onReady', async () => {
    const undeclared = routes.filter(({ access }) => !access()).map(({ name }) => name)
    if (undeclared.length > 0) throw new Error(`Routes that do not state who may call them: ${undeclared.join(', ')}`)
  })
}
