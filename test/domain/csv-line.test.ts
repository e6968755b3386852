import { expect, test } from 'bun:test'
import { csvLine } from '../../src/domain/csv-line'
import { csvOf } from '../../src/console/api/csv'

/** What spreadsheets run (OWASP, CSV Injection): a number in front makes it no less a formula. */
const formulas = ['=1+1', '+1', '@SUM(A1)', '-cmd', "-1+1|'/C calc'!A1", '-2.5+A1', '\t=1']

test.each(formulas)('%p is text in both kinds of tables', (typed) => {
  const escaped = `'${typed}`
  expect(csvLine([typed])).toBe(escaped)
  expect(csvOf([[typed]])).toBe(`${escaped}\r\n`)
})

test.each(['-1', '-2.500000', '5', 'Sara', '1-2'])('%p stays as it is', (typed) => {
  expect(csvLine([typed])).toBe(typed)
  expect(csvOf([[typed]])).toBe(`${typed}\r\n`)
})
