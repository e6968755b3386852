import { describe, expect, test } from 'bun:test'
import type { PictureRule } from '../../src/domain/model'
import { pictureTokens, seenPicture } from '../../src/gateway/metering/picture-tokens'

const of = (rule: PictureRule | undefined, width: number, height: number, rough = false): number =>
  pictureTokens({ width, height, rough }, rule)

describe('a picture is counted', () => {
  // The examples that vendors publish or others measured.
  test('in tiles, once it is scaled; a rough look costs the base', () => {
    const rule = { by: 'tiles', base: 85, each: 170 } as const
    expect(of(rule, 1024, 1024)).toBe(765)
    expect(of(rule, 2048, 4096)).toBe(1105)
    expect(of(rule, 4096, 8192, true)).toBe(85)
    expect(of(rule, 1, 1)).toBe(255)
    expect(of({ by: 'tiles', base: 2833, each: 5667 }, 1024, 1024)).toBe(25_501)
  })

  test('in patches, of which only so many count', () => {
    const claude = { by: 'patches', side: 28, each: 1, most: 4000 } as const
    expect(of(claude, 1024, 1024)).toBe(1369)
    expect(of(claude, 1920, 1080)).toBe(2691)
    expect(of(claude, 8000, 8000)).toBe(4000)
    const mini = { by: 'patches', side: 32, each: 1.62, most: 1536 } as const
    expect(of(mini, 1024, 1024)).toBe(1659)
    expect(of(mini, 1800, 2400)).toBe(2489)
    // Whether such a model looks more roughly for less is not told.
    expect(of(mini, 1024, 1024, true)).toBe(1659)
    expect(of({ by: 'patches', side: 32, each: 1.2 }, 4000, 3000)).toBe(14_100)
  })

  test('in squares, or as one', () => {
    const squares = { by: 'squares', each: 258 } as const
    expect(of(squares, 384, 384)).toBe(258)
    expect(of(squares, 1000, 1000)).toBe(1032)
    expect(of({ by: 'picture', each: 1120 }, 4000, 3000)).toBe(1120)
    expect(of(undefined, 4000, 3000)).toBe(1000)
  })

  test('never as nothing or as no number', () => {
    for (const by of ['tiles', 'patches', 'squares'] as const) {
      const rule = { by, base: 1, side: 32, each: 1 }
      for (const [width, height] of [
        [0, 0],
        [0, 5000],
        [2 ** 32, 1],
      ] as const) {
        const tokens = of(rule, width, height)
        expect(tokens).toBeGreaterThanOrEqual(1)
        expect(Number.isFinite(tokens)).toBe(true)
      }
    }
  })
})

test('a picture at an address, or of no known format, is taken for an ordinary one', () => {
  const ordinary = { width: 1024, height: 1024, rough: false, isMeasured: false }
  expect(seenPicture({ url: 'https://host/picture.png' })).toEqual(ordinary)
  expect(seenPicture({ url: 'data:image/png;base64,AAAA', detail: 'high' })).toEqual(ordinary)
  expect(seenPicture({ detail: 'low' })).toEqual({ ...ordinary, rough: true })
})
