import { expect, test } from 'bun:test'
import type { Budget } from '../../src/call/budget'
import type { StreamAnswer } from '../../src/call/endpoint'
import type { OpenCall } from '../../src/call/outcome'
import { relay } from '../../src/call/relay'
import type { RunningStream } from '../../src/call/running'
import { zeroUsd } from '../../src/domain/money'
import { noUsage } from '../../src/domain/usage'
import type { Inbound } from '../../src/http/inbound'
import { openSource } from '../../src/outbound/open-source'

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
  const call = { charge: () => zeroUsd, giveBack: () => {} } as unknown as OpenCall
  const budget: Budget = { cover: () => {} }
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
  await reader.cancel()
})
