import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { allowAnyOrigin } from './cors.ts'

/** Listed in dependency order. */
const PARTS = ['answers', 'host-panel', 'panel', 'emulator-connection', 'sound', 'meeting']
const VENDOR = '/sdk/:version/lib/vendor/:name'

type Versioned = { Params: { version: string; name: string } }

/** Serves the files of the Meeting SDK for Web under the paths that Zoom's own loader and pages use. */
export async function sdkFileRoutes(app: FastifyInstance) {
  allowAnyOrigin(app)
  let sdk: Promise<string> | undefined
  let plainUser: Promise<string> | undefined

  app.get<Versioned>('/sdk/:name(^zoom-meeting-\\d+\\.\\d+\\.\\d+\\.min\\.js$)', sendScript)
  app.get<Versioned>('/sdk/:version/:name(^zoom-meeting-\\d+\\.\\d+\\.\\d+\\.min\\.js$)', sendScript)
  app.get('/zoom/client.js', async (_request, reply) => {
    plainUser ??= clientScript('plain-user', START_PLAIN_USER)
    return reply.type(SCRIPT).send(await plainUser)
  })
  app.get<Versioned>(VENDOR, async (_request, reply) => reply.type(SCRIPT).send('// Not needed by the stand-in.\n'))
  app.get<Versioned>('/sdk/:version/lib/*', async (_request, reply) => reply.code(404).send())

  async function sendScript(_request: unknown, reply: { type: (type: string) => { send: (text: string) => unknown } }) {
    sdk ??= clientScript('zoom-mtg', START_SDK)
    return reply.type(SCRIPT).send(await sdk)
  }
}

const SCRIPT = 'text/javascript; charset=utf-8'
/** Takes the emulator's origin from the script's address. */
const START_SDK = 'window.ZoomMtg = createZoomMtg(new URL(document.currentScript.src).origin)'
const START_PLAIN_USER = 'startPlainUser(window.location.origin)'

/** Joins the parts into one classic script, stripping the types and the imports between them. */
async function clientScript(last: string, start: string): Promise<string> {
  const parts = [...PARTS, last].map(async (name) => {
    const source = await readFile(new URL(`./client/${name}.ts`, import.meta.url), 'utf8')
    return stripTypeScriptTypes(source)
      .replace(/^import\s[^;']*'[^']+'$/gm, '')
      .replace(/^export /gm, '')
  })
  return `(() => {\n'use strict'\n${(await Promise.all(parts)).join('\n')}\n${start}\n})()\n`
}
