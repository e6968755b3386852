import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { editMembers } from '../../src/gateway/json/edit-members'
import { leastCpuMs } from '../support/cpu-time'

describe('editMembers', () => {
  test('keeps what it does not name to the letter', () => {
    const text =
      '{ "a" : 1.0, "big":12345678901234567890 ,"s":"}\\"{","n":{"model":"x","l":[1,{"b":"]"}]}, "model" : "old" }'
    expect(editMembers(text, { set: { model: 'new' }, drop: ['a'] })).toBe(
      '{"big":12345678901234567890 ,"s":"}\\"{","n":{"model":"x","l":[1,{"b":"]"}]},"model":"new"}',
    )
  })

  test('knows a name written with escapes, and a name that stands twice', () => {
    const twice = editMembers('{"\\u006dodel":1,"x":2,"model":3}', { set: { model: 4 }, drop: [] })
    expect(twice).toBe('{"model":4,"x":2}')
    expect(editMembers('{"st\\u006fre":1,"store":2}', { set: {}, drop: ['store'] })).toBe('{}')
  })

  test('gives back the very text where all is as it should be', () => {
    const text = ' { "model" : "same", "n":1.50,"user":"me" } '
    expect(editMembers(text, { set: { model: 'same', user: 'me' }, drop: ['x'] })).toBe(text.trim())
    expect(editMembers(text, { set: { model: 'same' }, drop: ['user'] })).toBe(
      '{"model" : "same", "n":1.50}',
    )
    const twice = '{"model":"same","model":"same"}'
    expect(editMembers(twice, { set: { model: 'same' }, drop: [] })).toBe('{"model":"same"}')
  })

  const json = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 8,
    noNullPrototype: true,
  })
  const names = fc.array(fc.string({ maxLength: 6 }))
  test('any object and any edit give what the edit does to the value', () => {
    fc.assert(
      fc.property(json, json, names, fc.nat(2), (value, set, drop, indent) => {
        const text = JSON.stringify(value, null, indent)
        const edited = JSON.parse(editMembers(text, { set, drop })) as unknown
        const edits = new Set([...drop, ...Object.keys(set)])
        const same = (name: string) => name.toUpperCase().toLowerCase()
        const goes = (name: string) =>
          drop.includes(name) || (edits.has(same(name)) && !edits.has(name))
        const wanted = new Map(
          Object.entries(JSON.parse(text) as object).filter(([name]) => !goes(name)),
        )
        for (const [name, each] of Object.entries(set)) wanted.set(name, each)
        expect(edited).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(wanted))))
      }),
      { numRuns: 1000 },
    )
  })

  test('twenty megabytes of base64 cost little', async () => {
    const text = JSON.stringify({ model: 'x', image: 'A1b2'.repeat(5_000_000) })
    const edit = () => editMembers(text, { set: { model: 'y' }, drop: [] })
    expect(await leastCpuMs(edit)).toBeLessThan(200)
  })
})

test('a name in other letters, which some readers take for the same, does not pass', () => {
  const text = '{"model":"a","Model":"b","MODEL":"c","u\u017fer":"me","User":1,"Odd":2,"x":3}'
  expect(editMembers(text, { set: { model: 'ours' }, drop: ['user'] })).toBe(
    '{"model":"ours","Odd":2,"x":3}',
  )
})
