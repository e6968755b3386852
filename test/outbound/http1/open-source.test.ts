import { describe, expect, test } from 'bun:test'
import { openSource } from '../../../src/gateway/outbound/http1/open-source'
import { SourceReply } from '../../../src/gateway/outbound/http1/reply'
import { wholeText } from '../../support/whole-text'

const still = { pause() {}, resume() {} }

describe('bytes that are only lent', () => {
  test('are copied when nobody takes them yet', async () => {
    const { source, sink } = openSource(still)
    const lent = Buffer.from('first')
    sink.data(lent)
    lent.fill('x')
    const waiting = await source.read()
    expect(Buffer.from(waiting ?? []).toString()).toBe('first')
  })

  test('are copied when they are read later than they come', async () => {
    const { source, sink } = openSource(still)
    const reading = source.read()
    const lent = Buffer.from('second')
    sink.data(lent)
    lent.fill('x')
    expect(Buffer.from((await reading) ?? []).toString()).toBe('second')
  })

  test('are copied when a whole text is made of them', async () => {
    const { source, sink } = openSource(still)
    const text = wholeText(new SourceReply({ status: 200, headers: new Headers() }, source))
    for (const part of ['one ', 'two']) {
      const lent = Buffer.from(part)
      sink.data(lent)
      lent.fill('x')
    }
    sink.end()
    expect(await text).toBe('one two')
  })
})

describe('a source', () => {
  test('slows its sender down when nobody reads, and speeds it up again', async () => {
    const told: string[] = []
    const flow = { pause: () => void told.push('pause'), resume: () => void told.push('resume') }
    const { source, sink } = openSource(flow)
    for (let piece = 0; piece < 5; piece++) sink.data(new Uint8Array(100_000))
    expect(told).toEqual(['pause'])
    for (let piece = 0; piece < 5; piece++) await source.read()
    expect(told).toEqual(['pause', 'resume'])
  })

  test('stays slowed down when whom it flows to has enough of what had waited', () => {
    let flowing = true
    const flow = { pause: () => void (flowing = false), resume: () => void (flowing = true) }
    const { source, sink } = openSource(flow)
    for (let piece = 0; piece < 5; piece++) sink.data(new Uint8Array(100_000))
    let taken = 0
    source.flow({
      data(bytes) {
        taken += bytes.byteLength
        source.pause()
      },
      end() {},
      fail() {},
    })
    expect({ taken, flowing }).toEqual({ taken: 500_000, flowing: false })
    source.resume()
    expect(flowing).toBe(true)
  })

  test('goes on when whom it flows to has not enough', () => {
    let flowing = true
    const flow = { pause: () => void (flowing = false), resume: () => void (flowing = true) }
    const { source, sink } = openSource(flow)
    for (let piece = 0; piece < 5; piece++) sink.data(new Uint8Array(100_000))
    expect(flowing).toBe(false)
    source.flow({ data() {}, end() {}, fail() {} })
    expect(flowing).toBe(true)
  })

  test('fails where it failed, after what came before', async () => {
    const { source, sink } = openSource(still)
    sink.data(new Uint8Array(3))
    sink.fail(new Error('broken'))
    sink.end()
    expect((await source.read())?.byteLength).toBe(3)
    expect(await source.read().catch((thrown: Error) => thrown.message)).toBe('broken')
  })
})

test('what came whole is had at once, and only then', async () => {
  const { source, sink } = openSource(still)
  sink.data(new Uint8Array([1, 2]))
  expect(source.rest()).toBeNull()
  sink.end()
  expect(source.rest()).toEqual(new Uint8Array([1, 2]))
  expect(source.rest()).toBeNull()
  expect(await source.read()).toBeNull()

  const twice = openSource(still)
  twice.sink.data(new Uint8Array([1]))
  twice.sink.data(new Uint8Array([2]))
  twice.sink.end()
  expect(twice.source.rest()).toBeNull()
  expect(await twice.source.read()).toEqual(new Uint8Array([1]))
  expect(twice.source.rest()).toEqual(new Uint8Array([2]))

  const broken = openSource(still)
  broken.sink.data(new Uint8Array([1]))
  broken.sink.fail(new Error('broken'))
  expect(broken.source.rest()).toBeNull()
})
