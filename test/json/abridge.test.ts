import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { abridgeJson, expandJson, longStringsIn } from '../../src/json/abridge'
import { editMembers } from '../../src/json/edit-members'

const long = (piece: string) => piece.repeat(Math.ceil(300_000 / piece.length))
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const parsed = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes))

describe('an abridged reply', () => {
  test('leaves out long strings, and gets them back where they were moved to', async () => {
    const picture = long('a"\\ی')
    const { text, strings } = await abridgeJson(
      bytesOf({ id: 'theirs', data: [{ b64_json: picture }, { b64_json: 'short' }] }),
    )
    expect(text.length).toBeLessThan(200)
    const edited = editMembers(text, { set: { id: 'ours' }, drop: [] })
    const { data } = JSON.parse(edited) as { data: unknown[] }
    const moved = JSON.stringify({ id: 'ours', data: data.toReversed() })
    expect(parsed(Buffer.concat(expandJson(moved, strings)))).toEqual({
      id: 'ours',
      data: [{ b64_json: 'short' }, { b64_json: picture }],
    })
  })

  test('is the same again when nothing is done to it, whatever it says', async () => {
    const texts = fc.string({ unit: 'binary' }).map((text) => text + long(`${text}\u0000"`))
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), texts, fc.jsonValue(), async (before, text, after) => {
        const bytes = bytesOf([before, text, { [text]: after }])
        const { text: short, strings } = await abridgeJson(bytes)
        expect(strings.size).toBe(2)
        expect(Buffer.compare(Buffer.concat(expandJson(short, strings)), bytes)).toBe(0)
      }),
      { numRuns: 8 },
    )
  })

  test('tells what a text of it stands for', async () => {
    const { text, strings } = await abridgeJson(bytesOf([long('b')]))
    const [standIn] = JSON.parse(text) as [string]
    const { rest, found } = longStringsIn(`said ${standIn} once`, strings)
    expect(rest).toBe('said  once')
    expect(found.map((each) => each.byteLength)).toEqual([300_000])
  })

  test('cannot be one that takes long to parse', async () => {
    const brackets = new TextEncoder().encode('['.repeat(1_000_000))
    expect(await abridgeJson(brackets).catch(String)).toContain('nested too deeply')
  })
})
