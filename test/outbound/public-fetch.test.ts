import { expect, test } from 'bun:test'
import { isPublic } from '../../src/gateway/net/address'
import { NotPublic, openInternet } from '../../src/gateway/outbound/public-fetch'

test.each(['8.8.8.8', '2606:4700::1111', '2a00:1450:4001::1'])('%s may be asked', (address) => {
  expect(isPublic(address)).toBe(true)
})

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '::7f00:1',
  '::a9fe:a9fe',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'fd00::1',
  'no address',
])('%s may not', (address) => {
  expect(isPublic(address)).toBe(false)
})

test('an address is looked at as it will be asked', async () => {
  const fetchPublic = openInternet()
  const asked = { headers: {}, signal: AbortSignal.timeout(2000) }
  for (const url of ['https://[::127.0.0.1]/', 'https://0x7f.1/', 'https://2130706433/'])
    expect(await fetchPublic(url, asked).catch((thrown: unknown) => thrown)).toBeInstanceOf(
      NotPublic,
    )
})

test('a host whose name servers are silent is given up when the caller says so', async () => {
  const resolve = () => Promise.withResolvers<readonly string[]>().promise
  const fetchPublic = openInternet({ resolve, isPublic })
  for (const signal of [AbortSignal.timeout(20), AbortSignal.abort(new Error('gone'))]) {
    const asked = fetchPublic('https://silent.example/', { headers: {}, signal })
    expect(await asked.catch((thrown: unknown) => thrown)).toBe(signal.reason)
  }
})
