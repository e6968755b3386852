import { describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { estimateChatInput } from '../../src/gateway/metering/estimate-chat'
import { pdfPages } from '../../src/gateway/metering/pdf-pages'

const page =
  '<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>'
const object = (number: number, body: string) => `${number} 0 obj\n${body}\nendobj\n`
const node = (pages: number, kids = pages, count = pages) =>
  `<< /Type /Pages /Kids [${Array.from({ length: kids }, (_, at) => `${at + 10} 0 R`).join(' ')}] /Count ${count} >>`
const plain = (pages: number) =>
  Buffer.from(
    `%PDF-1.4\n${object(1, '<</Type/Catalog/Pages 2 0 R>>')}${object(2, node(pages))}` +
      Array.from({ length: pages }, (_, at) => object(at + 10, page)).join(''),
  )
const packed = (objects: string, name = '/ObjStm') => {
  const stream = deflateSync(objects)
  return Buffer.concat([
    Buffer.from(
      `7 0 obj\n<< /Type ${name} /N 9 /First 20 /Filter /FlateDecode /Length ${stream.length} >>\nstream\r\n`,
    ),
    stream,
    Buffer.from('\nendstream\nendobj\n'),
  ])
}
const file = (...parts: readonly (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n%\xe2\xe3\n', 'latin1'),
    ...parts.map((part) => Buffer.from(part)),
  ])

describe('pages of a PDF', () => {
  test.each([
    ['its objects', plain(37), 37],
    ['without blanks', file(object(3, '<</Type/Page>>').repeat(12)), 12],
    ['names by their numbers', file(object(3, '<</T#79pe /P#61ge>>').repeat(12)), 12],
    ['its tree alone', file(object(2, node(0, 0, 250))), 250],
    ['one page named again and again', file(object(2, node(0, 500, 1)), object(10, page)), 500],
    [
      'a tree of trees',
      file(object(2, node(2, 2, 20)), object(3, node(10)), object(4, node(10))),
      20,
    ],
    ['an object stream', file(packed(`${node(90)} ${`${page} `.repeat(90)}`)), 90],
    ['two object streams', file(packed(`${page} `.repeat(60)), packed(`${page} `.repeat(40))), 100],
    [
      'an outline that has more entries',
      file(object(8, '<< /Type /Outlines /First 9 0 R /Last 9 0 R /Count 900 >>'), plain(3)),
      3,
    ],
    ['a form without a tree', file('nothing of it'), null],
    ['another kind of file', Buffer.from('PK\x03\x04 /Type /Page'), null],
  ])('are counted by %s', async (_, bytes, pages) => {
    expect(await pdfPages(bytes)).toBe(pages)
  })

  test('of many windows are counted once each', async () => {
    expect(await pdfPages(plain(20_000))).toBe(20_000)
  })

  test('are looked for in little time and memory, whatever is in the file', async () => {
    const bomb = packed('\0'.repeat(200_000_000))
    const hostile = [
      '/Type ',
      '/Kids [',
      '<<',
      '>>',
      '/ObjStm',
      '/ObjStm stream\n',
      '/Type /Pages',
      'endobj',
      '#41',
    ]
    const began = process.cpuUsage()
    for (const unit of hostile) await pdfPages(file(unit.repeat(1_000_000 / unit.length)))
    expect(await pdfPages(file(bomb, bomb, bomb, plain(1)))).toBe(1000)
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1000).toBeLessThan(6000)
  })
})

test('a document is held by its pages, not by its size', async () => {
  const held = async (bytes: Buffer) => {
    const data = `data:application/pdf;base64,${bytes.toString('base64')}`
    const content = [{ type: 'file', file: { filename: 'a.pdf', file_data: data } }]
    return (await estimateChatInput({ model: 'm', messages: [{ role: 'user', content }] })).tokens
  }
  const one = await held(plain(1))
  expect((await held(plain(200))) - one).toBe(199 * 3000)
  const scan = Buffer.concat([plain(1), Buffer.alloc(2_000_000)])
  expect(await held(scan)).toBe(one)
  expect(await held(Buffer.alloc(200_000))).toBeGreaterThanOrEqual(8000)
})
