import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { messageFrame, FrameReader } from '../../src/processes/frames'

describe('messages of a stream', () => {
  test('are whole however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.json({ maxDepth: 2 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
        (texts, cuts) => {
          const messages = texts.map((text) => JSON.parse(text) as unknown)
          const bytes = Buffer.concat(messages.map(messageFrame))
          const reader = new FrameReader()
          const heard: unknown[] = []
          for (let at = 0, cut = 0; at < bytes.length; cut++) {
            const length = cuts[cut % cuts.length] ?? 1
            heard.push(...reader.read(bytes.subarray(at, at + length)))
            at += length
          }
          expect(heard).toEqual(messages)
        },
      ),
    )
  })

  test('are refused before they fill the memory', () => {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(0xff_ff_ff_ff)
    expect(() => new FrameReader().read(head)).toThrow('too long')
    expect(() => messageFrame('x'.repeat(17_000_000))).toThrow('too long')
  })

  test('that are no JSON are a fault', () => {
    const frame = messageFrame('text')
    frame.fill(0x7b, 4)
    expect(() => new FrameReader().read(frame)).toThrow(SyntaxError)
  })
})
