import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Zoom } from '../state/zoom.ts'
import { html } from './page.ts'

const Query = z.object({ name: z.string().default(''), pwd: z.string().optional() })

/** Zoom's own app, in which people meet who do not use the phone app. The program that shows it is the stand-in's. */
export function zoomAppPage(zoom: Zoom) {
  return async (app: FastifyInstance) => {
    app.get<{ Params: { number: string } }>('/zoom/j/:number', async (request, reply) => {
      const { number } = request.params
      const { name, pwd } = Query.parse(request.query)
      const meeting = zoom.state.meetings.find(({ id, deleted }) => String(id) === number && !deleted)
      reply.headers({
        'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; media-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      return reply
        .code(meeting ? 200 : 404)
        .type('text/html; charset=utf-8')
        .send(
          html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zoom app (demo)</title>
<style>
body { margin: 0; padding: 24px; background: #17181c; color: #f3f4f6; font: 16px/1.5 system-ui, sans-serif }
form { display: grid; gap: 8px; max-width: 20rem; margin: 0 auto }
form[hidden] { display: none }
input, button { min-height: 44px; padding: 0 12px; border: 1px solid #8b93a1; border-radius: 8px; background: #24262c; color: inherit; font: inherit }
button { border-color: #0b5cff; background: #0b5cff; font-weight: 600; cursor: pointer }
</style>
</head>
<body>
<main>
<h1>Zoom app (demo)</h1>
<form>
<label for="name">Your name</label><input id="name" name="name" value="${name}" required autocomplete="off">
<label for="passcode">Passcode</label><input id="passcode" name="passcode" value="${pwd ?? meeting?.password ?? ''}" autocomplete="off">
<button>Join</button>
<output></output>
</form>
<div id="zmmtg-root"></div>
</main>
<script src="/zoom/client.js"></script>
</body>
</html>`.text,
        )
    })
  }
}
