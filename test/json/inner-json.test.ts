import { expect, test } from 'bun:test'
import { InnerJson } from '../../src/gateway/json/inner-json'

const names = (count: number, from = 0) =>
  `{${Array.from({ length: count }, (_, at) => `"k${from + at}":0`).join()}}`

test('texts are parsed as long as it does not take long', () => {
  const inner = new InnerJson()
  expect(inner.parse('{"a":[1]}')).toEqual({ a: [1] })
  expect(() => inner.parse('{"a"')).toThrow()
  const text = 'x'.repeat(10_000_000)
  expect(inner.parse(JSON.stringify({ text }))).toEqual({ text })
})

test('one text of brackets or names is refused before it is parsed', () => {
  for (const heavy of ['['.repeat(200_000), names(200_000)])
    expect(() => new InnerJson().parse(heavy)).toThrow('too many names and values to parse')
})

test('many texts are refused together', () => {
  const inner = new InnerJson()
  const parse = () => {
    for (let at = 0; at < 100; at++) inner.parse(names(2500, at * 2500))
  }
  expect(parse).toThrow('too many names and values to parse')
})
