// Preloaded into a server to shift its clock by CLOCK_SHIFT_SECONDS.

const shiftMs = Number(process.env.CLOCK_SHIFT_SECONDS) * 1_000

globalThis.Date = new Proxy(Date, {
  construct: (date, args) => (args.length > 0 ? Reflect.construct(date, args) : new date(date.now() + shiftMs)),
  get: (date, name) => (name === 'now' ? () => date.now() + shiftMs : Reflect.get(date, name)),
})
