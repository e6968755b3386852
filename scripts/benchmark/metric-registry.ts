/**
 * What a call costs in our registry of metrics and in prom-client's, and reading all of them.
 *
 *     bun scripts/benchmark/metric-registry.ts
 */
import { Counter, Histogram, Registry } from 'prom-client'
import { openMetricRegistry } from '../../src/gateway/observability/metric-registry'

const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const calls = 300_000
const rounds = 5
/** Half of the lines are counters, half are of histograms: ten thousand in all. */
const counters = 5000
const histograms = 334

interface Subject {
  readonly name: string
  /** What a call does with series that are known: one counted, two meters, two times. */
  call(model: number, ms: number): void
  text(): string | Promise<string>
}

function ours(): Subject {
  const registry = openMetricRegistry(1_000_000)
  const total = registry.counter({ name: 'calls', help: 'calls', labels: ['model', 'what'] })
  const times = registry.histogram({
    name: 'times',
    help: 'times',
    labels: ['model'],
    bounds: bounds.map((bound) => bound * 1000),
    divisor: 1000,
  })
  const known = Array.from({ length: counters }, (_, at) => total.with(`m${at}`, 'call'))
  const timed = Array.from({ length: histograms }, (_, at) => times.with(`m${at}`))
  return {
    name: 'ours',
    call(model, ms) {
      for (let at = 0; at < 3; at++) known[model + at]?.add(1)
      for (let at = 0; at < 2; at++) timed[model]?.observe(ms)
    },
    text: () => registry.text(),
  }
}

function theirs(): Subject {
  const registry = new Registry()
  const registers = [registry]
  const total = new Counter({ name: 'c', help: 'c', labelNames: ['model', 'what'], registers })
  const times = new Histogram({
    name: 't',
    help: 't',
    labelNames: ['model'],
    buckets: bounds,
    registers,
  })
  const known = Array.from({ length: counters }, (_, at) => total.labels(`m${at}`, 'call'))
  const timed = Array.from({ length: histograms }, (_, at) => times.labels(`m${at}`))
  for (const each of known) each.inc(0)
  for (const each of timed) each.observe(0)
  return {
    name: 'prom-client',
    call(model, ms) {
      for (let at = 0; at < 3; at++) known[model + at]?.inc(1)
      for (let at = 0; at < 2; at++) timed[model]?.observe(ms / 1000)
    },
    text: () => registry.metrics(),
  }
}

const subjects = [ours(), theirs()]
const least = new Map<string, { call: number; text: number }>()
for (let round = 0; round < rounds; round++)
  for (const subject of subjects) {
    let began = performance.now()
    for (let call = 0; call < calls; call++) subject.call(call % 100, call % 3000)
    const call = ((performance.now() - began) * 1000) / calls
    began = performance.now()
    await subject.text()
    const text = performance.now() - began
    const before = least.get(subject.name) ?? { call, text }
    least.set(subject.name, {
      call: Math.min(before.call, call),
      text: Math.min(before.text, text),
    })
  }
for (const [name, { call, text }] of least)
  console.log(`${name}: ${call.toFixed(2)} µs a call, ${text.toFixed(1)} ms for 10,000 lines`)
