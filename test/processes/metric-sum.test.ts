import { expect, test } from 'bun:test'
import { sumMetrics } from '../../src/processes/metric-sum'

test('metrics of several processes are added up by their series, each described once', () => {
  const head = '# HELP calls_total Calls.\n# TYPE calls_total counter\n'
  const one = `${head}calls_total{status="ok",model="a b"} 3\ncalls_total{status="error"} 1\n`
  const two = `${head}calls_total{status="ok",model="a b"} 4.5\nheld_usd 0.25\n`
  expect(sumMetrics([one, two])).toBe(
    `${head}calls_total{status="ok",model="a b"} 7.5\ncalls_total{status="error"} 1\nheld_usd 0.25\n`,
  )
})

test('metrics of one process are what they were', () => {
  const text = '# TYPE up gauge\nup 1\n'
  expect(sumMetrics([text])).toBe(text)
})
