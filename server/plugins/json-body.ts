import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** Deeper than any body of ours, and shallow enough for whatever walks through one. */
const DEEPEST = 32
/** An escaped NUL: valid JSON, and the one character that PostgreSQL keeps in no text. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/
/** An escaped half of a pair of UTF-16; what is a pair is written as itself by `JSON.stringify`, and alone it stays. */
const HALF = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i

/** JSON bodies only; one that is empty or absent holds no field, and `__proto__` keys are dropped. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    const text = body.toString()
    if (NUL.test(text)) return done(noText())
    if (isTooDeep(text)) return done(new AppError('malformed', 'The body is nested too deeply.'))
    return parse(request, text, (error, value) => {
      if (!error && HALF.test(text) && HALF.test(JSON.stringify(value))) return done(noText())
      done(error, value)
    })
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.schema?.body) request.body = {}
    done()
  })
}

const noText = () => new AppError('malformed', 'The body holds a character that no text can hold.')

/** Looked at before parsing, which for such a text takes long or ends the stack. Brackets within strings do not count. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isText = false
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (isText) {
      if (code === BACKSLASH) place++
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === BRACKET || code === BRACE) {
      if (++depth > DEEPEST) return true
    } else if (code === BRACKET + 2 || code === BRACE + 2) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b // its closing one is two further on, as with the brace
const BRACE = 0x7b
