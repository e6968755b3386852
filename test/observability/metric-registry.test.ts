import { describe, expect, test } from 'bun:test'
import { openMetricRegistry } from '../../src/gateway/observability/metric-registry'
import { readExposition } from '../support/exposition'

const help = 'What it is.'

describe('the registry', () => {
  test('shows a series of a counter for each set of values, and adds to it', () => {
    const registry = openMetricRegistry(100)
    const calls = registry.counter({ name: 'calls_total', help, labels: ['model', 'status'] })
    calls.with('a', 'ok').add(2)
    calls.with('a', 'ok').add(3)
    calls.with('b', 'ok').add(1)
    const shown = readExposition(registry.text())
    expect(shown.families.get('calls_total')).toMatchObject({ type: 'counter', help })
    expect(shown.value('calls_total', { model: 'a' })).toBe(5)
    expect(shown.value('calls_total')).toBe(6)
  })

  test('counts a value into the bucket whose bound it does not pass', () => {
    const registry = openMetricRegistry(100)
    const took = registry.histogram({ name: 'took', help, bounds: [10, 20], divisor: 1000 }).with()
    for (const value of [10, 11, 20, 21]) took.observe(value)
    expect(registry.text()).toBe(
      [
        '# HELP took What it is.',
        '# TYPE took histogram',
        'took_bucket{le="0.01"} 1',
        'took_bucket{le="0.02"} 3',
        'took_bucket{le="+Inf"} 4',
        'took_sum 0.062',
        'took_count 4',
        '',
      ].join('\n'),
    )
  })

  test('escapes what would end a label or a line', () => {
    const registry = openMetricRegistry(100)
    const odd = 'a"b\\c\nd'
    registry
      .counter({ name: 'odd_total', help: 'A \\ and\na line.', labels: ['x'] })
      .with(odd)
      .add(1)
    const text = registry.text()
    expect(text).toContain('# HELP odd_total A \\\\ and\\na line.\n')
    expect(readExposition(text).value('odd_total', { x: odd })).toBe(1)
  })

  test('keeps apart values that only look the same side by side', () => {
    const registry = openMetricRegistry(100)
    const pairs = registry.counter({ name: 'pairs_total', help, labels: ['x', 'y'] })
    pairs.with('a,b', 'c').add(1)
    pairs.with('a', 'b,c').add(1)
    expect(readExposition(registry.text()).samples).toHaveLength(2)
  })

  test('counts together what is beyond its ceiling, and loses nothing', () => {
    const registry = openMetricRegistry(10)
    const calls = registry.counter({ name: 'calls_total', help, labels: ['model'] })
    const took = registry.histogram({ name: 'took', help, labels: ['model'], bounds: [1, 2] })
    for (let at = 0; at < 1000; at++) {
      calls.with(`model-${at}`).add(1)
      took.with(`model-${at}`).observe(1)
    }
    const shown = readExposition(registry.text())
    expect(shown.value('calls_total', { model: 'other' })).toBe(990)
    expect(shown.value('calls_total')).toBe(1000)
    expect(shown.value('took_count', { model: 'other' })).toBe(998)
    expect(shown.value('took_count')).toBe(1000)
    expect(shown.samples.length).toBe(11 + 3 * 5)
  })

  test('is written fast enough to be read while it counts', () => {
    const registry = openMetricRegistry(10_000)
    const labels = ['endpoint', 'model', 'vendor']
    const took = registry.histogram({ name: 'took', help, labels, bounds: [...Array(17).keys()] })
    for (let at = 0; at < 100; at++) took.with('chat', `vendor/model-${at}`, 'vendor').observe(at)
    expect(registry.text().split('\n').length).toBeGreaterThan(1000)
    const times = Array.from({ length: 21 }, () => {
      const began = performance.now()
      registry.text()
      return performance.now() - began
    })
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(5)
  })

  test('adds nano-dollars without an error', () => {
    const registry = openMetricRegistry(10)
    const dollars = registry.counter({ name: 'dollars_total', help, divisor: 1e9 }).with()
    for (let at = 0; at < 10; at++) dollars.add(100_000_000)
    expect(registry.text()).toEndWith('\ndollars_total 1\n')
  })

  test('refuses two metrics of one name, and labels that are too few', () => {
    const registry = openMetricRegistry(10)
    const family = registry.counter({ name: 'a_total', help, labels: ['x', 'y'] })
    expect(() => registry.gauge({ name: 'a_total', help }, () => 1)).toThrow('a_total')
    expect(() => family.with('x')).toThrow('a_total')
  })
})
