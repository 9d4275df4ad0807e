import { z } from 'zod'

const OfUser = z.object({ userId: z.int() })

/** The orders of a host's page, named like the SDK's functions. Only Zoom's own panel sends `mayUnmute`. */
export const Order = z.discriminatedUnion('do', [
  OfUser.extend({ do: z.literal('mute'), mute: z.boolean() }),
  z.object({ do: z.literal('muteAll'), muteAll: z.boolean(), mayUnmute: z.boolean().optional() }),
  OfUser.extend({ do: z.literal('expel') }),
  OfUser.extend({ do: z.literal('putOnHold'), hold: z.boolean() }),
  z.object({ do: z.literal('admitAll') }),
  OfUser.extend({ do: z.literal('lowerHand') }),
  z.object({ do: z.literal('lowerAllHands') }),
  OfUser.extend({ do: z.literal('makeHost') }),
  OfUser.extend({ do: z.literal('makeCoHost') }),
  OfUser.extend({ do: z.literal('withdrawCoHost') }),
  z.object({ do: z.literal('reclaimHost') }),
])
export type Order = z.infer<typeof Order>
