import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addressBucket, canonicalAddress } from '../../src/gateway/net/address'
import { addressListOf, openAddressList } from '../../src/gateway/net/address-list'
import { openTrustedProxies, type UntrustedProxy } from '../../src/gateway/http/address'

const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
const inFull = (each: readonly number[]) => each.map((group) => group.toString(16)).join(':')
const isMapped = (each: readonly number[]) =>
  each.slice(0, 5).every((group) => group === 0) && each[5] === 0xffff

describe('the canonical address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['2001:DB8::0001', '2001:db8:0:0:0:0:0:1'],
    ['::', '0:0:0:0:0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical)
  })

  test.each([
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '1.2.3.256',
    '10.1',
    '12345',
    '0x7f.0.0.1',
    '010.0.0.1',
    '::ffff:010.0.0.1',
    '::ffff:1.2.3.256',
    '::ffff:',
    '1::2::3',
    ' 1.2.3.4',
    '1.2.3.4:80',
    '[::1]',
  ])('of %p is none', (text) => {
    expect(canonicalAddress(text)).toBeNull()
  })

  test('any spelling of an IPv6 address gives the same one, which stays as it is', () => {
    fc.assert(
      fc.property(groups, (each) => {
        fc.pre(!isMapped(each))
        const full = inFull(each)
        const padded = each.map((group) => group.toString(16).padStart(4, '0')).join(':')
        const short = new URL(`http://[${full}]`).hostname.slice(1, -1)
        for (const spelling of [full, padded, padded.toUpperCase(), short])
          expect(canonicalAddress(spelling)).toBe(full)
      }),
    )
  })

  test('any text is an address or none, and never throws', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-fx:.%[\]/ ]{0,24}$/), (text) => {
        const address = canonicalAddress(text)
        if (address !== null) expect(canonicalAddress(address)).toBe(address)
      }),
    )
  })
})

describe('what is counted as one client', () => {
  const bucket = (text: string) => addressBucket(canonicalAddress(text) ?? text)

  test('is an IPv4 address, mapped or not', () => {
    expect(bucket('203.0.113.7')).toBe('203.0.113.7')
    expect(bucket('::ffff:203.0.113.7')).toBe('203.0.113.7')
    expect(bucket('203.0.113.8')).not.toBe(bucket('203.0.113.7'))
  })

  test('any two IPv6 addresses are one exactly when their first 64 bits are', () => {
    const pair = fc.tuple(groups, groups, fc.integer({ min: 0, max: 8 }))
    fc.assert(
      fc.property(pair, ([one, two, common]) => {
        const other = [...one.slice(0, common), ...two.slice(common)]
        fc.pre(!isMapped(one) && !isMapped(other))
        const sameNet = inFull(one.slice(0, 4)) === inFull(other.slice(0, 4))
        expect(bucket(inFull(one)) === bucket(inFull(other))).toBe(sameNet)
      }),
    )
  })
})

describe('an address list', () => {
  test.each([
    ['10.0.0.0/8', '10.255.0.1', '11.0.0.1'],
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['0.0.0.0/0', '203.0.113.7', '2001:db8:0:0:0:0:0:1'],
    ['2001:db8::/32', '2001:db8:ffff:0:0:0:0:1', '2001:db9:0:0:0:0:0:1'],
    ['2001:db8::1', '2001:db8:0:0:0:0:0:1', '2001:db8:0:0:0:0:0:2'],
    ['::/0', '2001:db8:0:0:0:0:0:1', '203.0.113.7'],
    ['::ffff:10.0.0.0/104', '10.1.2.3', '11.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3', '10.1.2.4'],
    [' 10.0.0.0/8 ', '10.1.2.3', '9.1.2.3'],
  ])('%s has %s and not %s', (entry, inside, outside) => {
    const list = openAddressList([entry])
    expect(list.has(inside)).toBe(true)
    expect(list.has(outside)).toBe(false)
  })

  test('has what any of its entries has', () => {
    const list = openAddressList(['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'])
    const asked = ['203.0.113.7', '10.9.9.9', '2001:db8:0:0:0:0:0:1', '192.0.2.1', 'nobody', '']
    expect(asked.map((address) => list.has(address))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  test('has nothing when it is empty', () => {
    expect(openAddressList([]).has('203.0.113.7')).toBe(false)
  })

  test.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    '::ffff:10.0.0.0/95',
    // Each of these is another network to somebody.
    '10/8',
    '192.168/16',
    '127.1',
    '010.0.0.0/8',
    '0x0a.0.0.0/8',
  ])('does not take %p, and names it', (entry) => {
    const open = () => openAddressList(['10.0.0.0/8', entry])
    expect(open).toThrow(RangeError)
    expect(open).toThrow(`: ${entry}`)
  })

  test('any range has exactly the addresses that begin with its bits', () => {
    const octets = fc.integer({ min: 0, max: 0xffffffff })
    const dotted = (value: number) =>
      [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
    const arbitrary = fc.tuple(octets, octets, fc.integer({ min: 0, max: 32 }), fc.boolean())
    fc.assert(
      fc.property(arbitrary, ([base, other, bits, near]) => {
        // Half of the addresses share all bits but the last eight.
        const address = near ? ((base & ~255) | (other & 255)) >>> 0 : other
        const first = (value: number) => (bits === 0 ? 0 : value >>> (32 - bits))
        const has = openAddressList([`${dotted(base)}/${bits}`]).has(dotted(address))
        expect(has).toBe(first(base) === first(address))
      }),
      { numRuns: 300 },
    )
  })

  test('is made once for each array of entries', () => {
    const entries = ['10.0.0.0/8']
    expect(addressListOf(entries)).toBe(addressListOf(entries))
    expect(addressListOf(entries)).not.toBe(addressListOf(['10.0.0.0/8']))
  })
})

describe('the client behind proxies', () => {
  const client = openTrustedProxies(['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48'])
  const from = (peer: string, forwardedFor?: string) =>
    client(peer, new Headers(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }))

  test('is the socket’s address when no proxy is trusted, whatever the client says', () => {
    const direct = openTrustedProxies([])
    const headers = new Headers({ 'x-forwarded-for': '198.51.100.1' })
    expect(direct('203.0.113.7', headers)).toBe('203.0.113.7')
    expect(direct('::ffff:203.0.113.7', headers)).toBe('203.0.113.7')
    expect(direct('2001:db8::1', headers)).toBe('2001:db8:0:0:0:0:0:1')
    expect(direct('1:2::4:1.2.3.4', headers)).toBe('1:2:0:0:0:4:102:304')
  })

  test('is the socket’s address when the peer is not trusted', () => {
    expect(from('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
  })

  test('is the peer when a trusted proxy says nothing', () => {
    expect(from('127.0.0.1')).toBe('127.0.0.1')
  })

  test.each([
    ['the last hop', '198.51.100.1', '198.51.100.1'],
    ['not what the client put before it', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['the hop before trusted ones', '6.6.6.6, 198.51.100.1, 10.0.0.2,10.0.0.1', '198.51.100.1'],
    ['the first of trusted ones', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['an address with a port', '198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 address', '2001:db8::9', '2001:db8:0:0:0:0:0:9'],
    ['an IPv6 address in brackets', '[2001:db8::9]', '2001:db8:0:0:0:0:0:9'],
    ['an IPv6 address with a port', '[2001:db8::9]:4711', '2001:db8:0:0:0:0:0:9'],
    ['behind a trusted IPv6 proxy', '198.51.100.1, 2001:db8:1::5', '198.51.100.1'],
    ['a mapped address as IPv4', '::ffff:198.51.100.1', '198.51.100.1'],
  ])('is %s', (_, forwardedFor, address) => {
    expect(from('127.0.0.1', forwardedFor)).toBe(address)
    expect(from('::ffff:127.0.0.1', forwardedFor)).toBe(address)
  })

  test.each([
    '',
    ',',
    'unknown',
    '12345',
    '10.1',
    '[2001:db8::9',
    '[::1]x',
    '1.2.3.4.5:80',
    'a, 10.0.0.1',
  ])('is the peer when %p cannot be read', (forwardedFor) => {
    expect(from('127.0.0.1', forwardedFor)).toBe('127.0.0.1')
  })

  test('any word of the client before the proxy’s own changes nothing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{0,40}$/), (said) => {
        expect(from('127.0.0.1', `${said}, 198.51.100.1`)).toBe('198.51.100.1')
        expect(from('203.0.113.7', said)).toBe('203.0.113.7')
      }),
    )
  })

  test('needs readable ranges', () => {
    expect(() => openTrustedProxies(['192.168/16'])).toThrow('192.168/16')
  })
})

describe('a proxy that nobody trusts', () => {
  const told = (trusted: readonly string[], peer: string, headers: Record<string, string>) => {
    const seen: UntrustedProxy[] = []
    const addressOf = openTrustedProxies(trusted, (proxy) => seen.push(proxy))
    for (let count = 0; count < 3; count++) addressOf(peer, new Headers(headers))
    return seen
  }

  test.each([
    ['127.0.0.1', 'X-Forwarded-For'],
    ['::ffff:10.1.2.3', 'Forwarded'],
    ['::1', 'X-Real-IP'],
    ['fd00::7', 'X-Forwarded-For'],
    ['172.31.0.9', 'X-Forwarded-For'],
  ])('is told of once when %s sends %s', (peer, header) => {
    const address = addressOf(peer)
    expect(told([], peer, { [header]: '203.0.113.7' })).toEqual([{ address, header, trusted: [] }])
  })

  test('is none when it is trusted, a client elsewhere, or says nothing', () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect(told(['127.0.0.0/8'], '127.0.0.1', forwarded)).toEqual([])
    expect(told([], '198.51.100.1', forwarded)).toEqual([])
    expect(told([], '127.0.0.1', {})).toEqual([])
    expect(told(['10.0.0.1'], '10.0.0.2', forwarded)).toHaveLength(1)
  })
})

const addressOf = (peer: string) => openTrustedProxies([])(peer, new Headers())
