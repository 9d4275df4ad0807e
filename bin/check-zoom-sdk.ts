// Compares the stand-in for Zoom's Meeting SDK with Zoom's own package, which is fetched into node_modules/.cache.
import { launchChromium } from '../test/e2e/support/chromium.ts'
import { joinWithRealSdk, takeSeatWithRealSdk } from './real-sdk.ts'
import { checkZoomFacts } from './zoom-facts.ts'
import { cachedZoomSdk, checkSdkTypes, fetchZoomSdk, ZOOM_SDK_VERSION } from './zoom-sdk.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

try {
  const folder = cachedZoomSdk() ?? fetchZoomSdk()
  print(`@zoom/meetingsdk ${ZOOM_SDK_VERSION} is in ${folder}`)
  await step("The stand-in does not fit Zoom's types", async () => checkSdkTypes(folder))
  print("The stand-in fits Zoom's types.")
  await step("Zoom's program has changed", () => checkZoomFacts(folder, ZOOM_SDK_VERSION))
  print("Zoom's program does what the app and the stand-in rely on.")
  const browser = await launchChromium()
  const join = () => joinWithRealSdk(browser, folder, ZOOM_SDK_VERSION)
  const takeSeat = () => takeSeatWithRealSdk(browser, folder, ZOOM_SDK_VERSION)
  try {
    await step("The phone app could not start Zoom's SDK", join)
    print("The phone app has started Zoom's SDK in Chromium, in its own frame, up to where it would join a meeting.")
    await step("The host's seat could not start Zoom's SDK", takeSeat)
    print("The host's seat has started Zoom's SDK in its own frame too, up to where it would join a meeting.")
  } finally {
    await browser.close()
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function step(failure: string, work: () => Promise<void>) {
  await work().catch((error: Error) => {
    throw new Error(`${failure} (version ${ZOOM_SDK_VERSION}):\n${error.message}`)
  })
}
