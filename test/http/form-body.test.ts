import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { GatewayError } from '../../src/errors/gateway-error'
import type { FormBody } from '../../src/gateway/http/form'
import { readForm } from '../../src/gateway/http/form-body'
import { openSpool, type Spool } from '../../src/gateway/http/spool'
import { brokenForm } from '../support/broken-form'

const limit = 4096
let folder: string
let spool: Spool
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chapar-forms-'))
  spool = openSpool(folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

const type = 'multipart/form-data; boundary=b0'
const url = 'http://gateway.test/v1/audio/transcriptions'

const requestOf = (body: Uint8Array | ReadableStream<Uint8Array>, contentType = type) =>
  new Request(url, { method: 'POST', body, headers: { 'content-type': contentType } })
const read = (request: Request): Promise<FormBody> =>
  readForm(request, { fileField: 'file', maxFileBytes: limit, spool })
const part = (name: string, content: string, filename?: string) =>
  `--b0\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n${content}\r\n`
const formOf = (...parts: readonly string[]) => Buffer.from(`${parts.join('')}--b0--\r\n`, 'latin1')

async function refusal(request: Request): Promise<GatewayError> {
  const outcome = await read(request).catch((thrown: unknown) => thrown)
  if (!(outcome instanceof GatewayError)) throw new Error('not refused', { cause: outcome })
  return outcome
}

/** Pieces of a body as a socket might bring them. */
const inPieces = (bytes: Buffer, size: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)))
      controller.close()
    },
  })

const openFiles = () => readdirSync('/dev/fd').length

describe('a form', () => {
  test('is its fields and its file, which has no name on the disk', async () => {
    const before = openFiles()
    const content = 'sound\0\r\n--b '.repeat(200)
    const body = formOf(part('model', 'whisper-1'), part('file', content, 'a.mp3'), part('n', 'é'))
    for (const size of [1, 7, 1000, 100_000]) {
      const utf8 = Buffer.from(body.toString('latin1').replace('é', 'Ã©'), 'latin1')
      const { fields, file } = await read(requestOf(inPieces(utf8, size)))
      expect(fields).toEqual([
        ['model', 'whisper-1'],
        ['n', 'é'],
      ])
      expect(file?.filename).toBe('a.mp3')
      expect(file?.content.size).toBe(content.length)
      expect(file?.content.read(0, 9999).toString('latin1')).toBe(content)
      expect(file?.content.read(content.length - 3, 100).toString('latin1')).toBe('-b ')
      expect(file?.content.read(content.length + 5, 100).length).toBe(0)
      expect(readdirSync(folder)).toEqual([])
      file?.content.close()
    }
    expect(openFiles()).toBe(before)
  })

  test('without a file, or with an empty one, is one all the same', async () => {
    expect(await read(requestOf(formOf(part('a', '1'))))).toEqual({
      fields: [['a', '1']],
      file: null,
    })
    const { file } = await read(requestOf(formOf(part('file', '', 'a.mp3'))))
    expect(file?.content.size).toBe(0)
    file?.content.close()
  })

  test.each([
    ['no body', () => new Request(url, { method: 'POST', headers: { 'content-type': type } })],
    ['JSON', () => requestOf(Buffer.from('{}'), 'application/json')],
    [
      'a form of the other kind',
      () => requestOf(Buffer.from('a=1'), 'application/x-www-form-urlencoded'),
    ],
    ['no boundary', () => requestOf(formOf(part('a', '1')), 'multipart/form-data')],
    ['another boundary', () => requestOf(formOf(part('a', '1')), `${type}0`)],
    ['a body that is cut', () => requestOf(formOf(part('file', 'x')).subarray(0, -4))],
  ])('that is %s is refused', async (_, request) => {
    const { code, param } = await refusal(request())
    expect({ code, param }).toEqual({ code: 'invalid_field', param: 'body' })
  })

  test('with two files, or letters that are none, is refused by the name of the field', async () => {
    const two = await refusal(requestOf(formOf(part('file', 'x', 'a'), part('file', 'y', 'b'))))
    expect([two.code, two.param]).toEqual(['invalid_field', 'file'])
    const broken = await refusal(requestOf(formOf(part('prompt', '\xff\xfe'))))
    expect([broken.code, broken.param]).toEqual(['invalid_field', 'prompt'])
  })

  test('has a file up to the ceiling, and not one byte more, also without a length', async () => {
    const { file } = await read(requestOf(formOf(part('file', 'x'.repeat(limit)))))
    expect(file?.content.size).toBe(limit)
    file?.content.close()
    const before = openFiles()
    const longer = formOf(part('file', 'x'.repeat(limit + 1)))
    for (const request of [requestOf(longer), requestOf(inPieces(longer, 100))])
      expect(await refusal(request)).toMatchObject({
        code: 'request_too_large',
        facts: { limitKb: 4 },
      })
    expect(openFiles()).toBe(before)
  })

  test('with too many fields, or too long ones, is too large', async () => {
    const many = formOf(...Array.from({ length: 101 }, (_, at) => part(`f${at}`, '')))
    expect((await refusal(requestOf(many))).code).toBe('request_too_large')
    const long = formOf(part('prompt', 'x'.repeat(2_097_153)))
    expect((await refusal(requestOf(long))).code).toBe('request_too_large')
  })

  test('is read no further than it may go', async () => {
    let pulled = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1000
        const start = Buffer.from(part('file', '').slice(0, -2))
        controller.enqueue(pulled === 1000 ? new Uint8Array(start) : new Uint8Array(1000))
      },
      cancel() {
        cancelled = true
      },
    })
    expect((await refusal(requestOf(endless))).code).toBe('request_too_large')
    expect(cancelled).toBe(true)
    expect(pulled).toBeLessThanOrEqual(limit + 4000)
  })

  test('whose length tells that it is too long is not read', async () => {
    const request = new Request(url, {
      method: 'POST',
      body: formOf(part('file', 'x')),
      headers: { 'content-type': type, 'content-length': '9999999' },
    })
    expect((await refusal(request)).code).toBe('request_too_large')
    expect(request.bodyUsed).toBe(false)
  })

  test('of a client that breaks off leaves nothing', async () => {
    const before = openFiles()
    const gone = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(Buffer.from(part('file', 'xxx')))),
      pull: (controller) => controller.error(new Error('gone')),
    })
    expect((await refusal(requestOf(gone))).code).toBe('invalid_field')
    expect(openFiles()).toBe(before)
    expect(readdirSync(folder)).toEqual([])
  })

  test('that cannot be written is a fault of ours, and leaves nothing', async () => {
    const request = requestOf(formOf(part('file', 'x')))
    const rules = { fileField: 'file', maxFileBytes: limit, spool: openSpool('/nowhere/at/all') }
    const outcome = await readForm(request, rules).catch((thrown: unknown) => thrown)
    expect(outcome).toMatchObject({ code: 'ENOENT' })
  })
})

describe('a spooled file', () => {
  test('gives nothing away once it is closed, and ends what is being read', async () => {
    const file = spool.open()
    file.append(Buffer.from('sound'))
    const buffer = new Uint8Array(3)
    const reading = file.readInto(buffer, 1)
    file.close()
    expect(await reading).toBe(3)
    expect(Buffer.from(buffer).toString()).toBe('oun')
    expect(() => file.read(0, 1)).toThrow('closed')
    expect(() => file.readInto(buffer, 0)).toThrow('closed')
    file.close()
  })

  test('stays for who holds it, until he lets go', async () => {
    const before = openFiles()
    const file = spool.open()
    file.append(Buffer.from('sound'))
    const letGo = file.hold()
    file.close()
    const buffer = new Uint8Array(5)
    expect(await file.readInto(buffer, 0)).toBe(5)
    letGo()
    letGo()
    expect(() => file.hold()).toThrow('closed')
    expect(openFiles()).toBe(before)
  })
})

describe('any broken form', () => {
  const sample = formOf(
    part('model', 'whisper-1'),
    part('timestamp_granularities[]', 'word'),
    part('file', 'sound \r\n--b0 sound', 'a.mp3'),
  )
  const broken = brokenForm(sample.toString('latin1'), { mostChanges: 5, longest: 40 })

  test('is read, or refused with a code of ours, and leaves nothing', async () => {
    const before = openFiles()
    await fc.assert(
      fc.asyncProperty(broken, fc.integer({ min: 1, max: 600 }), async (text, size) => {
        const outcome = await read(requestOf(inPieces(Buffer.from(text, 'latin1'), size))).catch(
          (thrown: unknown) => thrown,
        )
        if (outcome instanceof GatewayError) expect([400, 413]).toContain(outcome.status)
        else (outcome as FormBody).file?.content.close()
      }),
      { numRuns: 10_000 },
    )
    expect(openFiles()).toBe(before)
    expect(readdirSync(folder)).toEqual([])
  })
})
