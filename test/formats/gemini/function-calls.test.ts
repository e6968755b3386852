import { describe, expect, test } from 'bun:test'
import { openFunctionCalls } from '../../../src/gateway/formats/gemini/function-calls'
import { openPartialArguments } from '../../../src/gateway/formats/gemini/partial-arguments'

describe('calls of one candidate', () => {
  test('a part without a name is nothing where no call is open', () => {
    const calls = openFunctionCalls()
    expect(calls.read({})).toEqual([])
    expect(calls.read({ partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] })).toEqual([])
    expect(calls.read({ name: '' })).toEqual([])
    expect(calls.count).toBe(0)
  })

  test('the next call ends one that goes on', () => {
    const calls = openFunctionCalls()
    const start = { type: 'start', id: undefined } as const
    expect(calls.read({ name: 'a', willContinue: true })).toEqual([
      { ...start, tool: 0, name: 'a' },
    ])
    expect(calls.read({ args: { x: { y: 1 } }, willContinue: true })).toEqual([])
    expect(calls.read({ name: 'b' })).toEqual([
      { type: 'arguments', tool: 0, text: '{"x":{"y":1}}' },
      { ...start, tool: 1, name: 'b' },
      { type: 'arguments', tool: 1, text: '{}' },
    ])
    expect(calls.end()).toEqual([])
    expect(calls.count).toBe(2)
  })

  test('a call may begin with the first of its arguments', () => {
    const calls = openFunctionCalls()
    calls.read({
      name: 'a',
      partialArgs: [{ jsonPath: '$.x', stringValue: 'one', willContinue: true }],
      willContinue: true,
    })
    calls.read({ partialArgs: [{ jsonPath: '$.x', stringValue: ' two' }], willContinue: true })
    expect(calls.end()).toEqual([{ type: 'arguments', tool: 0, text: '{"x":"one two"}' }])
  })
})

describe('arguments from values at paths', () => {
  const put = (...values: readonly (readonly [path: string, value: object])[]): string => {
    const args = openPartialArguments()
    for (const [jsonPath, value] of values) args.put({ jsonPath, ...value })
    return args.text()
  }

  test('a member that is called like a prototype is one like any other', () => {
    const text = put(['$.__proto__.polluted', { boolValue: true }], ['$.x', { numberValue: 1 }])
    expect(text).toBe('{"__proto__":{"polluted":true},"x":1}')
    expect({}).not.toHaveProperty('polluted')
  })

  test('lists hold lists, and names in quotes hold anything', () => {
    expect(
      put(
        ['$.a[0][0]', { numberValue: 1 }],
        ['$.a[0][1]', { nullValue: null }],
        ['$["b.c"]["d\\"e"]', { stringValue: 'f' }],
      ),
    ).toBe('{"a":[[1,null]],"b.c":{"d\\"e":"f"}}')
  })

  test.each([
    ['a place far outside of its list', '$.a[4000000]'],
    ['no root', 'a.b'],
    ['the root itself', '$'],
    ['what is no path', '$.a..b'],
    ['more depth than any arguments have', `$${'[0]'.repeat(101)}`],
  ])('%s is refused', (_, path) => {
    expect(() => put([path, { numberValue: 1 }])).toThrow()
  })
})
