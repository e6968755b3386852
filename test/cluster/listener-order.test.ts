import { expect, test } from 'bun:test'
import { ListenerOrder } from '../../src/server/cluster/listener-order'

test('the order of listeners is that in which they began, whoever tells first', () => {
  const order = new ListenerOrder()
  order.add(12, 200)
  order.add(11, 100)
  order.add(13, 300)
  expect([11, 12, 13].map((pid) => order.placeOf(pid)?.index)).toEqual([0, 1, 2])
})

test('the last one takes the place of one that closes, and others come behind it', () => {
  const order = new ListenerOrder()
  for (const [at, pid] of [11, 12, 13, 14].entries()) order.add(pid, at)
  order.remove(12)
  order.add(15, 9)
  expect([11, 14, 13, 15].map((pid) => order.placeOf(pid))).toEqual(
    [0, 1, 2, 3].map((index) => ({ index, of: 4 })),
  )
  order.remove(15)
  order.remove(99)
  expect(order.placeOf(13)).toEqual({ index: 2, of: 3 })
})

test('one that is alone has nobody to give its connections to', () => {
  const order = new ListenerOrder()
  order.add(11, 1)
  expect(order.placeOf(11)).toBeNull()
  expect(order.placeOf(12)).toBeNull()
})
