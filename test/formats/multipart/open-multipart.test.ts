import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { boundaryOf } from '../../../src/gateway/formats/multipart/part-head'
import { MultipartFault, Multipart } from '../../../src/gateway/formats/multipart/open-multipart'
import { renderForm } from '../../../src/gateway/formats/multipart/render'

interface Part {
  readonly name: string
  readonly filename: string | null
  text: string
  whole: boolean
}

/** @param cuts where the form is cut into pieces */
function readParts(form: Buffer, boundary: string, cuts: readonly number[] = []): Part[] {
  const parts: Part[] = []
  const reader = new Multipart(boundary, {
    part: (head) => void parts.push({ ...head, text: '', whole: false }),
    data(bytes) {
      const part = parts.at(-1)
      if (part !== undefined) part.text += Buffer.from(bytes).toString('latin1')
    },
    partEnd() {
      const part = parts.at(-1)
      if (part !== undefined) part.whole = true
    },
  })
  let from = 0
  for (const cut of [...cuts.toSorted((a, b) => a - b), form.length]) {
    reader.push(form.subarray(from, cut))
    from = cut
  }
  reader.end()
  return parts
}

const file = { name: 'file', filename: 'a.wav', contentType: 'audio/wav' }

function formOf(boundary: string, fields: readonly [string, string][], content: Buffer): Buffer {
  const { before, after } = renderForm(boundary, fields, file)
  return Buffer.concat([Buffer.from(before), content, Buffer.from(after)])
}

const field = (name: string, text: string) => ({ name, filename: null, text, whole: true })

describe('a form', () => {
  const sample = formOf('b0', [['model', 'whisper-1']], Buffer.from('\r\n--b\r\n--b1 \r\n\r\n--b'))
  const parts = [
    field('model', 'whisper-1'),
    { ...field('file', '\r\n--b\r\n--b1 \r\n\r\n--b'), filename: 'a.wav' },
  ]

  test('is read the same wherever it is cut', () => {
    for (let first = 0; first <= sample.length; first++)
      for (let second = first; second <= sample.length; second += 7)
        expect(readParts(sample, 'b0', [first, second])).toEqual(parts)
    const everywhere = Array.from({ length: sample.length }, (_, at) => at)
    expect(readParts(sample, 'b0', everywhere)).toEqual(parts)
  })

  test('may have words before and behind, and spaces behind a boundary', () => {
    const text = sample.toString('latin1').replace('--b0\r\n', '--b0 \t\r\n')
    const around = Buffer.from(`some words\r\n${text}and more\r\n--b0\r\n`, 'latin1')
    expect(readParts(around, 'b0')).toEqual(parts)
  })

  test('names its fields in every way that clients write', () => {
    const named = (head: string) =>
      readParts(Buffer.from(`--x\r\n${head}\r\n\r\n1\r\n--x--\r\n`), 'x')[0]
    const disposition = 'Content-Disposition: form-data'
    expect(named(`${disposition}; name=a; filename=b.mp3`)).toMatchObject({ filename: 'b.mp3' })
    expect(named(`${disposition};name="a;\\"b"`)).toMatchObject({ name: 'a;"b', filename: null })
    expect(named(`Content-Type: x/y\r\n${disposition}; filename="é"; name="t[]"`)).toMatchObject({
      name: 't[]',
      filename: 'é',
    })
  })

  test('that breaks its own rules is refused', () => {
    const head = 'content-disposition: form-data; name="a"'
    const broken = [
      '',
      '--x',
      '--x\r\n',
      `--x\r\n${head}\r\n\r\nno end`,
      `--x\r\n${head}\r\n\r\nno end\r\n--x`,
      `--x\r\n\r\n\r\n1\r\n--x--`,
      `--x\r\nno field at all\r\n\r\n1\r\n--x--`,
      `--x\r\ncontent-disposition: form-data\r\n\r\n1\r\n--x--`,
      `--x\r\ncontent-disposition: attachment; name="a"\r\n\r\n1\r\n--x--`,
      `--x\r\n${head}\r\n${head}\r\n\r\n1\r\n--x--`,
      `--x\r\n${head}\r\n folded\r\n\r\n1\r\n--x--`,
      `--xy\r\n${head}\r\n\r\n1\r\n--xy--`,
      `--x\r\n${head}\r\nx: ${'y'.repeat(9000)}\r\n\r\n1\r\n--x--`,
      `--x${' '.repeat(200)}\r\n${head}\r\n\r\n1\r\n--x--`,
    ]
    for (const form of broken)
      expect(() => readParts(Buffer.from(form), 'x')).toThrow(MultipartFault)
  })

  test('tells its boundary in a header', () => {
    expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc')
    expect(boundaryOf('Multipart/Form-Data; charset=utf-8; Boundary="a b:c"')).toBe('a b:c')
    for (const other of [
      null,
      '',
      'application/json',
      'multipart/form-data',
      'multipart/mixed; boundary=a',
    ])
      expect(boundaryOf(other)).toBeNull()
    expect(boundaryOf(`multipart/form-data; boundary=${'a'.repeat(71)}`)).toBeNull()
  })

  test('any content comes out as it went in, however it is cut', () => {
    const bytes = fc.array(fc.constantFrom('\r', '\n', '-', 'b', '0', 'x', '\r\n--b', '\0'), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(400), { maxLength: 6 }), (letters, cuts) => {
        const content = letters.join('')
        fc.pre(!content.includes('\r\n--b0'))
        const form = formOf('b0', [['a', '1']], Buffer.from(content, 'latin1'))
        const within = cuts.filter((cut) => cut <= form.length)
        expect(readParts(form, 'b0', within)[1]?.text).toBe(content)
      }),
    )
  })
})
