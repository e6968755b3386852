import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { contrast, mixed, type Hex } from '../../src/domain/colour'
import { brandColour } from '../../src/gateway/settings/brand-colour'
import { brandLogo } from '../../src/gateway/settings/brand-logo'
import { remarkText } from '../../src/gateway/settings/remarks'
import { nameOrNone } from '../../src/gateway/settings/types'

const remarkOn = (value: Parameters<NonNullable<typeof brandColour.remark>>[0]): string | null => {
  const remark = brandColour.remark?.(value) ?? null
  return remark === null ? null : remarkText(remark)
}

const svg = (inner: string, attributes = ''): Uint8Array =>
  new TextEncoder().encode(
    `<?xml version="1.0"?>\n<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${attributes}>${inner}</svg>\n`,
  )
const drawing = '<g fill="url(#a)"><path d="M0 0h8v8z"/><use href="#b"/></g>'

function png(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(64)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const view = new DataView(bytes.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return bytes
}

describe('the colour of a brand', () => {
  test('can be read by day and by night, whatever it is', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte), (bytes) => {
        const text = `#${bytes.map((each) => each.toString(16).padStart(2, '0')).join('')}`
        const { shades } = brandColour.parse(text) ?? { shades: [] as Hex[] }
        const [byNight, fill, byDay] = [shades[4], shades[6], shades[7]] as [Hex, Hex, Hex]
        expect(shades).toHaveLength(10)
        for (const shade of shades) expect(shade).toMatch(/^#[\da-f]{6}$/)
        for (const ground of ['#ffffff', '#f7f7f4'] as const) {
          expect(contrast(byDay, ground)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(byDay, mixed(byDay, ground, 0.14))).toBeGreaterThanOrEqual(4.5)
        }
        expect(contrast(fill, '#ffffff')).toBeGreaterThanOrEqual(4.5)
        for (const ground of ['#101413', '#191e1c'] as const)
          expect(contrast(byNight, ground)).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 300 },
    )
  })

  test('is used as it is where it can be read, and said to be changed where not', () => {
    const dark = brandColour.parse('7A1FA2')
    expect(dark).toMatchObject({ colour: '#7a1fa2' })
    expect(dark?.shades[7]).toBe('#7a1fa2')
    expect(remarkOn(dark)).toStartWith('pages use by day #7a1fa2')
    const yellow = brandColour.parse('#fc0')
    expect(yellow).toMatchObject({ colour: '#ffcc00' })
    expect(remarkOn(yellow)).toMatch(
      /^#ffcc00 is too light to be read .* 4\.5 : 1 is needed\): pages use its hue/,
    )
    expect(() => brandColour.parse('turquoise')).toThrow('must be a colour such as')
  })
})

describe('the logo of a brand', () => {
  test('is kept whole, and known by its hash', () => {
    const kept = brandLogo.fromFile?.(svg(drawing)) ?? ''
    const logo = brandLogo.parse(kept)
    expect(logo).toMatchObject({ type: 'image/svg+xml', bytes: svg(drawing) })
    expect(logo?.hash).toMatch(/^[\da-f]{16}$/)
    expect(brandLogo.show(logo)).toBe(kept)
    expect(brandLogo.parse(brandLogo.fromFile?.(png(512, 128)) ?? '')?.type).toBe('image/png')
  })

  test.each([
    ['<script>alert(1)</script>', 'a script'],
    ['<svg:script>alert(1)</svg:script>', 'a script'],
    ['<g onload="alert(1)"/>', 'an event handler'],
    ['<a href="&#106;avascript:alert(1)"><path/></a>', 'a link to elsewhere'],
    ['<image href="https://example.com/a.png"/>', 'a link to elsewhere'],
    ['<image xlink:href="//example.com/a.png"/>', 'a link to elsewhere'],
    ['<use href="data:image/svg+xml;base64,PHN2Zy8+"/>', 'a link to elsewhere'],
    ['<style>path{fill:url(https://example.com)}</style>', 'a link to elsewhere'],
    ['<style>@import "https://example.com"</style>', 'a style sheet from elsewhere'],
    ['<foreignObject><body/></foreignObject>', 'an element that is no drawing'],
    ['<set attributeName="href" to="x"/>', 'an element that is no drawing'],
    ['<!ENTITY a "b">', 'a document type'],
  ])('is refused with %s', (inner, reason) => {
    expect(() => brandLogo.fromFile?.(svg(inner))).toThrow(`holds ${reason}`)
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['another picture', new TextEncoder().encode('GIF89a')],
    ['a page', new TextEncoder().encode('<html><svg></svg></html>')],
    ['half a drawing', new TextEncoder().encode('<svg><path/>')],
    ['bytes', new Uint8Array([0xff, 0xfe, 0x3c, 0x00])],
  ])('is refused when it is %s', (_, bytes) => {
    expect(() => brandLogo.fromFile?.(bytes)).toThrow('must be a file with an SVG or PNG picture')
  })

  test('is refused when it is too large', () => {
    expect(() => brandLogo.fromFile?.(svg(' '.repeat(70_000)))).toThrow('at most 65536')
    expect(() => brandLogo.fromFile?.(png(4000, 10))).toThrow('at most 1024 wide and high')
    expect(() => brandLogo.fromFile?.(png(0, 0))).toThrow('no whole PNG')
  })
})

test('a name is short, and turns no direction', () => {
  expect(nameOrNone.parse(' چاپار ')).toBe('چاپار')
  for (const name of ['', 'x'.repeat(41), 'a\nb', 'a\u202eb'])
    expect(() => nameOrNone.parse(name)).toThrow('must be a name')
})
