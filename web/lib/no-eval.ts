import { z } from 'zod'

// Before a schema is built: the validator's probe whether code may be made at run time is against the page's policy, and
// Firefox reports it.
z.config({ jitless: true })
