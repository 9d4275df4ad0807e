import { expect, test } from 'vitest'
import { cachedZoomSdk, checkTypes, NOT_CACHED } from './zoom-sdk.ts'

const folder = cachedZoomSdk()

test(folder ? "the stand-in fits the types of Zoom's own SDK" : NOT_CACHED, () => {
  if (folder) expect(() => checkTypes(folder)).not.toThrow()
})
