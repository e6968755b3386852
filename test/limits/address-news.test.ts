import { expect, test } from 'bun:test'
import { addressMessages, readAddressMessage } from '../../src/gateway/limits/address-news'
import type { AddressNews } from '../../src/gateway/limits/limits'

/** What whoever hears all of them has counted. */
function heard(messages: readonly string[]) {
  const sums = { requests: new Map<string, number>(), attempts: new Map<string, number>() }
  let busy: AddressNews['busy'] = null
  for (const message of messages) {
    const news = readAddressMessage(message)
    busy = news.busy ?? busy
    for (const kind of ['requests', 'attempts'] as const)
      for (const [address, count] of news[kind])
        sums[kind].set(address, (sums[kind].get(address) ?? 0) + count)
  }
  return { requests: [...sums.requests], attempts: [...sums.attempts], busy }
}

const many = (count: number, of = 1) =>
  Array.from({ length: count }, (_, at) => [`2001:db8:ffff:${at}::`, of] as [string, number])

test('news of addresses arrive whole, in messages that a notice of a database can carry', () => {
  const news = { requests: many(1500), attempts: many(300, 2), busy: many(20, 9) }
  const messages = addressMessages(news)
  expect(messages.every((message) => Buffer.byteLength(message) < 7900)).toBe(true)
  expect(heard(messages)).toEqual(news)
})

test('of a crowd those are told that were counted most', () => {
  const loud = many(10, 50)
  const crowd = many(5000).map(([address, count]) => [`${address}1`, count] as [string, number])
  const { requests } = heard(
    addressMessages({ requests: [...crowd, ...loud], attempts: [], busy: null }),
  )
  expect(requests).toHaveLength(2000)
  const told = new Map(requests)
  expect(loud.map(([address]) => told.get(address))).toEqual(loud.map(() => 50))
})

test('nothing new is no message', () => {
  expect(addressMessages({ requests: [], attempts: [], busy: null })).toEqual([])
})
