import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { abridgeJson, expandJson, longStringsIn } from '../../src/gateway/json/abridge'
import { editMembers } from '../../src/gateway/json/edit-members'

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

  const token = (at: number) => ({
    token: ` "t${at}\\`,
    logprob: -1 - at / 7,
    bytes: [32, 34, at % 256],
    top_logprobs: [{ token: '[,{', logprob: -0.5, bytes: null }],
  })
  const tokens = Array.from({ length: 20_000 }, (_, at) => token(at))

  test.each([
    ['in an object', { content: tokens, refusal: null }],
    ['in an array', tokens],
    ['in several arrays', { tokens: tokens.map((each) => each.token), top_logprobs: tokens }],
  ])('leaves out probabilities of tokens, %s, and gets them back', async (_, logprobs) => {
    const said = 'of "logprobs": [1,2'
    const reply = {
      logprobs: null,
      choices: [{ said, logprobs, more: { logprobs: [1, { a: 2 }] } }],
    }
    const bytes = bytesOf(reply)
    const { text, strings } = await abridgeJson(bytes)
    expect(text.length).toBeLessThan(400_000)
    expect(JSON.parse(text)).toMatchObject({
      choices: [{ said, more: { logprobs: [1, { a: 2 }] } }],
    })
    const edited = editMembers(text, { set: { id: 'ours' }, drop: [] })
    expect(parsed(Buffer.concat(expandJson(edited, strings)))).toEqual({ ...reply, id: 'ours' })
    const written = JSON.stringify(JSON.parse(text))
    expect(parsed(Buffer.concat(expandJson(written, strings)))).toEqual(reply)
  })

  test('cannot have probabilities that are no JSON', async () => {
    const broken = new TextEncoder().encode(`{"logprobs":[${'[1,2}, 3,'.repeat(50_000)}4]}`)
    expect(await abridgeJson(broken).catch(String)).toContain('SyntaxError')
  })

  test('is read in little time where nothing of it ends', async () => {
    const bytes = new TextEncoder().encode(`{"x":["logprobs":[${'"logprobs":['.repeat(500)}`)
    const { strings } = await abridgeJson(bytes)
    expect(strings.size).toBe(0)
  })

  test('cannot be one that takes long to parse', async () => {
    const brackets = new TextEncoder().encode('['.repeat(1_000_000))
    expect(await abridgeJson(brackets).catch(String)).toContain('nested too deeply')
  })
})
