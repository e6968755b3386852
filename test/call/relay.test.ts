import { expect, test } from 'bun:test'
import type { Budget } from '../../src/call/budget'
import type { StreamAnswer } from '../../src/call/endpoint'
import type { OpenCall } from '../../src/call/outcome'
import { relay } from '../../src/call/relay'
import { openRunningStreams, type RunningStream } from '../../src/call/running'
import { zeroUsd } from '../../src/domain/money'
import { noUsage } from '../../src/domain/usage'
import type { Inbound } from '../../src/http/inbound'
import { openSource } from '../../src/outbound/open-source'

test('a fault at the end does not leave the client waiting', async () => {
  const { source, sink } = openSource({ pause() {}, resume() {} })
  let complete = false
  const answer: StreamAnswer = {
    kind: 'stream',
    head: 'data: 1\n\n',
    source,
    pass: () => null,
    broken: () => null,
    sent: () => true,
    ended: () => null,
    complete: () => complete,
    usage: () => noUsage,
    close: () => '',
  }
  const charge = () => {
    throw new Error('no price')
  }
  const call = { charge, giveBack: () => {} } as unknown as OpenCall
  const inbound = { signal: new AbortController().signal } as unknown as Inbound
  const route = { vendor: 'v', vendorModel: 'm', priority: 0, weight: 1 }
  let aborted = 0
  const abort = () => void aborted++
  const budget: Budget = { cover: () => Number.POSITIVE_INFINITY }
  const streams = openRunningStreams()
  const parts = { answer, route, call, budget, inbound, abort, learn: () => {} }
  const reader = relay(streams, parts).getReader()
  complete = true
  sink.data(new Uint8Array(1))
  const outcome = await reader
    .read()
    .then(() => reader.read())
    .then(
      () => 'more',
      () => 'broken off',
    )
  expect(outcome).toBe('broken off')
  expect([aborted > 0, streams.count()]).toEqual([true, 0])
  streams.close()
})

test('a vendor that only murmurs does not keep the client waiting without a sign', async () => {
  const { source, sink } = openSource({ pause() {}, resume() {} })
  const answer: StreamAnswer = {
    kind: 'stream',
    head: 'data: 1\n\n',
    source,
    pass: () => null,
    broken: () => null,
    sent: () => false,
    ended: () => null,
    complete: () => false,
    usage: () => noUsage,
    close: () => '',
  }
  let running: RunningStream | null = null
  const streams = {
    add: (stream: RunningStream) => void (running = stream),
    remove: () => {},
    count: () => 1,
    finishAll: () => {},
    cutAll: () => {},
    close: () => {},
  }
  let ended = 0
  const giveBack = () => void ended++
  const call = { charge: () => zeroUsd, giveBack } as unknown as OpenCall
  const budget: Budget = { cover: () => Number.POSITIVE_INFINITY }
  const inbound = { signal: new AbortController().signal } as unknown as Inbound
  const route = { vendor: 'v', vendorModel: 'm', priority: 0, weight: 1 }
  const parts = { answer, route, call, budget, inbound, abort: () => {}, learn: () => {} }
  const reader = relay(streams, parts).getReader()
  expect((await reader.read()).value).toBe('data: 1\n\n')
  const next = reader.read()
  // Fifteen seconds in three ticks; in between the vendor says what the client need not know.
  for (let ticks = 0; ticks < 3; ticks++) {
    sink.data(new Uint8Array(1))
    ;(running as RunningStream | null)?.tick()
  }
  expect((await next).value).toBe(': keep-alive\n\n')
  // An hour of it is no answer any more.
  expect(ended).toBe(0)
  for (let ticks = 0; ticks < 720; ticks++) {
    sink.data(new Uint8Array(1))
    ;(running as RunningStream | null)?.tick()
  }
  expect(ended).toBe(1)
  await reader.cancel()
})
