import { cachedZoomSdk, NOT_CACHED, startRealSdk } from '../../bin/zoom-sdk.ts'
import { expect, test } from './support/test.ts'

const folder = cachedZoomSdk()

test(folder ? "Zoom's own SDK starts as the meeting frame starts it" : NOT_CACHED, async ({ browser }) => {
  if (folder) await expect(startRealSdk(browser, folder)).resolves.toBeUndefined()
})
