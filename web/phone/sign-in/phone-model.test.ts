import { expect, test } from 'vitest'
import { phoneModel } from './phone-model.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${IPHONE} Version/18.4 Mobile/15E148 Safari/604.1`, 5, 'iPhone, Safari'],
  [`${IPHONE} CriOS/131.0 Mobile/15E148 Safari/604.1`, 5, 'iPhone, Chrome'],
  [`${MAC} Version/18.4 Safari/605.1.15`, 5, 'iPad, Safari'],
  [`${MAC} Version/18.4 Safari/605.1.15`, 0, 'Mac, Safari'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36`, 5, 'Android, Chrome'],
  [
    `Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-A546B) ${ANDROID} SamsungBrowser/26.0 Chrome/122 Mobile Safari/537.36`,
    5,
    'SAMSUNG SM-A546B, Samsung Internet',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 0, 'Linux, Firefox'],
])('reads %s', async (userAgent, maxTouchPoints, model) => {
  expect(await phoneModel({ ...navigator, userAgent, maxTouchPoints })).toBe(model)
})

test('takes the model that the browser names', async () => {
  const userAgentData = { getHighEntropyValues: async () => ({ model: 'Pixel 9' }) }
  const userAgent = `Mozilla/5.0 (Linux; Android 10; K) ${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36`
  expect(await phoneModel(Object.assign({ ...navigator, userAgent }, { userAgentData }))).toBe('Pixel 9, Chrome')
})
