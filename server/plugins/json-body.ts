import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import { AppError } from '../errors.ts'

/** Deeper than any valid body, and shallow enough for recursive code. */
const MAX_DEPTH = 32
/** An escaped NUL: valid JSON, but PostgreSQL's text cannot store it. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/
/** An escaped UTF-16 surrogate; `JSON.stringify` writes a pair as one character and leaves a lone one escaped. */
const SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i

/** An empty or absent body counts as `{}`; `__proto__` keys are dropped. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const text = body.toString()
    const hasEscapes = text.includes('\\u') // much faster than the two patterns, and rarely true
    if (hasEscapes && NUL.test(text)) return done(unstorable())
    if (isTooDeep(text)) return done(new AppError('malformed', 'The body is nested too deeply.'))
    return parse(request, text, (error, value) => {
      if (!error && hasEscapes && SURROGATE.test(text) && SURROGATE.test(JSON.stringify(value)))
        return done(unstorable())
      done(error, value)
    })
  })
  app.addHook('onRoute', (route) => {
    if (!route.schema?.body) return
    const fillIn: preValidationHookHandler = (request, _reply, done) => {
      if (request.body === undefined) request.body = {}
      done()
    }
    route.preValidation = [fillIn, ...[route.preValidation ?? []].flat()]
  })
}

const unstorable = () => new AppError('malformed', 'The body contains a character that cannot be stored.')

/** Checks the text, because walking through the parsed value may overflow the stack. Ignores brackets in strings. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === BRACKET || code === BRACE) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === BRACKET + 2 || code === BRACE + 2) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b // closing brackets are two code points further
const BRACE = 0x7b
