import type { HostZoomMtg } from './zoom-mtg.ts'

/** Libraries that Zoom's program expects to be loaded before it. */
const VENDORS = ['react', 'react-dom', 'redux', 'redux-thunk', 'lodash', 'react-redux']

/** Rejects if one of its files cannot be loaded. */
export async function loadSdk(url: string, version: string): Promise<HostZoomMtg> {
  for (const name of VENDORS) await loadScript(`${url}/${version}/lib/vendor/${name}.min.js`)
  await loadScript(`${url}/zoom-meeting-${version}.min.js`)
  const { ZoomMtg } = window
  if (!ZoomMtg) throw new Error('The Meeting SDK has not defined ZoomMtg')
  ZoomMtg.setZoomJSLib(`${url}/${version}/lib`, '/av')
  ZoomMtg.preLoadWasm()
  ZoomMtg.prepareWebSDK()
  return ZoomMtg
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`${src} cannot be loaded`))
    document.body.append(script)
  })
}
