import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { fileOfBytes } from './file-of-bytes'
import { readRecording } from '../../src/gateway/media/recording'
import durations from './recordings/durations.json'
import { paced } from '../support/pace'

const bytesOf = (name: string) => readFileSync(join(import.meta.dir, 'recordings', name))
const containers: Readonly<Record<string, string>> = { m4a: 'mp4', mov: 'mp4' }
const recordings = Object.entries(durations).map(([name, { seconds }]) => {
  const ending = name.slice(name.lastIndexOf('.') + 1)
  return { name, seconds, container: containers[ending] ?? ending, bytes: bytesOf(name) }
})

describe('a recording', () => {
  test.each(recordings)(
    '$name lasts as long as a decoder says',
    async ({ bytes, seconds, container }) => {
      const told = await readRecording(fileOfBytes(bytes))
      expect(told.container as string).toBe(container)
      expect(Math.abs((told.seconds ?? 0) - seconds)).toBeLessThan(0.1)
      expect(told.maxSeconds).toBe(told.seconds)
    },
  )

  test('is measured to its last byte, whatever its head says', async () => {
    const whole = bytesOf('cbr.mp3')
    const half = await readRecording(fileOfBytes(whole.subarray(0, whole.length / 2)))
    expect(Math.abs((half.seconds ?? 0) - 3.135 / 2)).toBeLessThan(0.1)
    const wav = bytesOf('pcm16.wav')
    const cut = await readRecording(fileOfBytes(wav.subarray(0, wav.length / 2)))
    expect(Math.abs((cut.seconds ?? 0) - 0.6)).toBeLessThan(0.1)
  })

  test('that is none tells nothing', async () => {
    const others = ['', 'a text', '{"no":"sound"}', '\x89PNG\r\n\x1a\n', 'RIFF....AVI LIST']
    for (const other of others)
      expect(await readRecording(fileOfBytes(Buffer.from(other, 'latin1')))).toEqual({
        container: null,
        seconds: null,
        maxSeconds: null,
      })
  })

  test('that goes on for long is measured to its end', async () => {
    const mp3 = bytesOf('telephone.mp3')
    const frames = mp3.subarray(mp3.indexOf(0xff, 200))
    const many = Buffer.concat(Array.from({ length: 3900 }, () => frames))
    const told = await readRecording(fileOfBytes(many))
    // 16 thousand bits a second.
    expect((told.seconds ?? 0) / ((many.length * 8) / 16_000)).toBeWithin(0.98, 1.02)
  })
})

/** Places and values that break lengths and counts most. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  inHead: fc.boolean(),
  value: fc.constantFrom(0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff, 0x1a, 0x40),
  length: fc.constantFrom(1, 1, 2, 4, 8, 16),
  kind: fc.constantFrom('set', 'set', 'set', 'cut', 'repeat', 'drop'),
})
interface Change {
  readonly at: number
  readonly inHead: boolean
  readonly value: number
  readonly length: number
  readonly kind: string
}

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  let out = Buffer.from(bytes)
  for (const { at, inHead, value, length, kind } of changes) {
    const place = Math.floor(at * (inHead ? Math.min(out.length, 256) : out.length))
    if (kind === 'set') out.fill(value, place, Math.min(out.length, place + length))
    if (kind === 'cut') out = out.subarray(0, place)
    if (kind === 'drop') out = Buffer.concat([out.subarray(0, place), out.subarray(place + length)])
    if (kind === 'repeat')
      out = Buffer.concat([out.subarray(0, place), out.subarray(Math.max(0, place - 400))])
  }
  return out
}

/** A broken small file, and a large one that is made to cost. */
const maxMs = paced(200)
const maxLargeMs = paced(4000)
const largeBytes = 6 * 1024 * 1024

/** Of the processor, which other processes want too; the best of three. */
async function measuredMs(bytes: Buffer, most: number): Promise<number> {
  let best = Infinity
  for (let tries = 0; tries < 3 && best >= most; tries++) {
    const began = process.cpuUsage()
    const { seconds, maxSeconds } = await readRecording(fileOfBytes(bytes))
    const { user, system } = process.cpuUsage(began)
    best = Math.min(best, (user + system) / 1000)
    expect(seconds === null || (seconds > 0 && Number.isFinite(seconds))).toBe(true)
    expect(maxSeconds ?? Infinity).toBeGreaterThanOrEqual(seconds ?? 0)
  }
  return best
}

describe('any broken recording', () => {
  test('is looked at for little time and breaks nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...recordings),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        async ({ bytes }, changes) => {
          expect(await measuredMs(changed(bytes, changes), maxMs)).toBeLessThan(maxMs)
        },
      ),
      { numRuns: 10_000 },
    )
  })

  /** Large, and made of nothing but what costs most to look at. */
  const filled = (start: string, unit: string): Buffer =>
    Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(largeBytes, unit, 'latin1')])
  const box = (type: string, length: number) => `\0\0\0${String.fromCharCode(length)}${type}`
  const worst: readonly (readonly [string, Buffer])[] = [
    ['starts of frames', filled('ID3\x04\0\0\0\0\0\0', '\xff')],
    ['starts of frames that fit nothing', filled('\xff\xfb\x90\0', '\xff\xfb\x90')],
    ['the smallest frames', filled('', `\xff\xf3\x14\xc0${'\0'.repeat(20)}`)],
    ['heads of pages', filled('OggS', 'OggS')],
    ['empty pages', filled('', `OggS\0\x02${'\0'.repeat(21)}`)],
    ['clusters', filled('\x1a\x45\xdf\xa3\x80', '\x1f\x43\xb6\x75\x80')],
    ['blocks', filled('\x1a\x45\xdf\xa3\x80', '\xa3\x84\x81\0\x01\x80')],
    ['boxes', filled(box('ftyp', 8), box('free', 8))],
    ['fragments', filled(box('ftyp', 8), box('moof', 16) + box('traf', 8))],
    ['heads of films', filled(box('ftyp', 8), box('moov', 16) + box('trak', 8))],
    ['chunks', filled('RIFF\0\0\0\0WAVE', 'LIST\0\0\0\0')],
    [
      'syncs of FLAC',
      filled(`fLaC\0\0\0\x22${'\0'.repeat(10)}\x0a\xc4\x40${'\0'.repeat(21)}`, '\xff\xf8'),
    ],
    ['nothing', filled('', '\0')],
  ]
  test.each(worst)('that is large and full of %s lets others have turns', async (_, bytes) => {
    let turns = 0
    let again = true
    const count = () => void (turns++, again && setImmediate(count))
    setImmediate(count)
    const ms = await measuredMs(bytes, maxLargeMs)
    again = false
    expect(ms).toBeLessThan(maxLargeMs)
    expect(turns).toBeGreaterThanOrEqual(Math.floor(ms / 100))
  })
})
