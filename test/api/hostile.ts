import fc from 'fast-check'

/** Stands for 1e309 in a JSON text, which no JavaScript number can represent. */
const HUGE = '@1e309@'

/** Texts that people and programs send, but no form would. */
const TEXTS = [
  ...['', ' ', '\u0000', 'a\u0000b', '🦆', '\ud800', 'İ', 'ﬀ', '\u202Eabc', 'e\u0301', '\r\nX-Evil: 1', '\u001b[31m'],
  ...['null', 'undefined', 'NaN', 'true', '-1', '0', '1e309', '9223372036854775808', '-9223372036854775809', '0x10'],
  ...['1 OR 1=1', "'; drop table hosts; --", '{}', '[]', '[object Object]', '../../etc/passwd', '%2e%2e', '%00', '%'],
  ...['<script>alert(1)</script>', '$' + '{7*7}', '{{7*7}}', '__proto__', 'constructor', 'toString', 'a@b.c', 'A@B'],
  ...['2026-02-30', '0000-01-01', '0001-01-01', '9999-12-31', '-000001-01-01', '+275760-09-13T00:00:00.000Z'],
  ...['9999-12-31T23:59:59.999Z', '2026-11-21T00:00:00+23:59', '00000000-0000-0000-0000-000000000000'],
  ...['http://localhost:3000/', '//evil.test/', 'http://master.localhost:3000\\@evil.test', 'javascript:alert(1)'],
  'x'.repeat(10_000),
  '٣'.repeat(40),
]

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.uuid() },
)

const hostileNumber = fc.oneof(
  fc.constantFrom<unknown>(-1, 0, -0, 0.5, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e308, HUGE),
  fc.integer(),
)

export const hostileValue = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 1 }) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 2_000 }, (_, place) => `x${place}`)) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Keys of Object.prototype, with values that would be noticed there. */
const grabbing = fc.constantFrom<[string, unknown]>(
  ['__proto__', { polluted: true, role: 'master' }],
  ['constructor', { prototype: { polluted: true } }],
  ['toString', 'x'],
  ['hasOwnProperty', null],
  ['role', 'master'],
)

/** Changes, omits, repeats or adds fields of the example. Built by hand, since a key may occur twice. */
function changed(example: object): fc.Arbitrary<string> {
  const fields = Object.entries(example)
  const change = fc.tuple(fc.constantFrom('replace', 'leave out', 'say twice'), hostileValue)
  return fc
    .record({
      places: fc.subarray([...fields.keys()], { maxLength: Math.min(2, fields.length) }),
      changes: fc.tuple(change, change),
      more: fc.array(grabbing, { maxLength: 2 }),
    })
    .map(({ places, changes, more }) => {
      const own = fields.flatMap(([key, value], place): [string, unknown][] => {
        const [how, other] = changes[places.indexOf(place)] ?? []
        if (how === 'leave out') return []
        if (how === 'replace') return [[key, other]]
        return how === 'say twice'
          ? [
              [key, value],
              [key, other],
            ]
          : [[key, value]]
      })
      return `{${[...own, ...more].map(([key, value]) => `${json(key)}:${json(value)}`).join(',')}}`
    })
}

const BROKEN = ['{', '{"a":', 'nul', ' ', '\ufeff{}', '{"a":1}}', "{'a':1}", '{"a":\u0001}', '[1,]', '"', '\u0000']

export function hostileBody(example: unknown): fc.Arbitrary<string> {
  const whole = hostileValue.map(json)
  const broken = fc.oneof(fc.constantFrom(...BROKEN), fc.string())
  if (example === null || typeof example !== 'object') return fc.oneof(whole, broken, changed({ more: 1 }))
  return fc.oneof(
    { weight: 8, arbitrary: changed(example) },
    { weight: 1, arbitrary: whole },
    { weight: 1, arbitrary: broken },
  )
}

const json = (value: unknown) => (JSON.stringify(value) ?? 'null').replaceAll(`"${HUGE}"`, '1e309')

/** Encoded like a browser does, or unencoded if that can still be sent. */
export const hostileSegment = fc.oneof(
  { weight: 5, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed())) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%', '%zz', '%00', '%c0%af', '..%2f..%2fusers', '%2e%2e', '%ff', '.', '%252e'),
  },
)
