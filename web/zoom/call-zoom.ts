import { z } from 'zod'

type Callbacks = { success: (answer: unknown) => void; error: (answer: unknown) => void }

/** A refusal, with Zoom's own code and message. */
export class ZoomRefusal extends Error {
  readonly code: number | null

  constructor(code: number | null, message: string) {
    super(message)
    this.name = 'ZoomRefusal'
    this.code = code
  }
}

const Refusal = z.object({ errorCode: z.number().optional().catch(undefined), errorMessage: z.string().optional() })

/** Wraps Zoom's callbacks, which may never be called. The timeout pauses while it `isWaiting` for a person. */
export function callZoom<T extends z.ZodType>(
  schema: T,
  timeoutMs: number,
  run: (callbacks: Callbacks) => void,
  isWaiting = () => false,
): Promise<z.output<T>> {
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      if (isWaiting()) return
      clearInterval(timer)
      reject(new ZoomRefusal(null, 'Zoom does not answer'))
    }, timeoutMs)
    run({
      success(answer) {
        clearInterval(timer)
        const read = schema.safeParse(answer)
        if (read.success) resolve(read.data)
        else reject(new ZoomRefusal(null, `Zoom answered with another form: ${read.error.message}`))
      },
      error(answer) {
        clearInterval(timer)
        const { errorCode = null, errorMessage = 'Zoom gave no reason' } = Refusal.safeParse(answer).data ?? {}
        reject(new ZoomRefusal(errorCode, errorMessage))
      },
    })
  })
}
