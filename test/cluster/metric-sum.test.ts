import { expect, test } from 'bun:test'
import { sumMetrics } from '../../src/server/cluster/metric-sum'

const calls = '# HELP calls_total Calls.\n# TYPE calls_total counter\n'
const held = '# TYPE held_usd gauge\n'

test('metrics of several processes are added up by their series, those of a metric together', () => {
  const one = `${calls}calls_total{status="ok",model="a b"} 3\n${held}held_usd 1\n`
  const two = `${calls}calls_total{status="ok",model="a b"} 4.5\ncalls_total{status="error"} 1\n${held}held_usd 0.25\n`
  expect(
    sumMetrics([
      { process: 'front-1', text: one },
      { process: 'front-2', text: two },
    ]),
  ).toBe(
    `${calls}calls_total{status="ok",model="a b"} 7.5\ncalls_total{status="error"} 1\n${held}held_usd 1.25\n`,
  )
})

test('what is of a process stays its own', () => {
  const head = '# TYPE process_resident_memory_bytes gauge\n'
  const text = (bytes: number) => `${head}process_resident_memory_bytes ${bytes}\n`
  expect(
    sumMetrics([
      { process: 'owner', text: text(1) },
      { process: 'front-1', text: text(2) },
    ]),
  ).toBe(
    `${head}process_resident_memory_bytes{process="owner"} 1\nprocess_resident_memory_bytes{process="front-1"} 2\n`,
  )
})
