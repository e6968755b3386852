import { expect, test } from 'bun:test'
import { deviceKind } from '../../src/domain/device'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36',
    'Chrome · Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1',
    'Safari · iPhone',
  ],
  ['curl/8', ''],
])('%p is %p', (agent, device) => {
  expect(deviceKind(agent)).toBe(device)
})
