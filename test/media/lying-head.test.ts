import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileOfBytes } from './file-of-bytes'
import { readRecording } from '../../src/gateway/media/recording'

const bytesOf = (name: string): Buffer =>
  Buffer.from(readFileSync(join(import.meta.dir, 'recordings', name)))
const secondsOf = async (bytes: Buffer): Promise<number> =>
  (await readRecording(fileOfBytes(bytes))).maxSeconds ?? 0

const times = 200
const repeated = (bytes: Buffer): Buffer[] => Array.from({ length: times }, () => bytes)

/** STREAMINFO says a second, behind it are many. */
function flac(): Buffer {
  const bytes = bytesOf('flac.flac')
  const rate = bytes.readUInt32BE(18) >>> 12
  bytes[21] = (bytes[21] ?? 0) & 0xf0
  bytes.writeUInt32BE(rate, 22)
  let frames = 4
  for (let isLast = false; !isLast;) {
    const head = bytes.readUInt32BE(frames)
    isLast = head >>> 31 === 1
    frames += 4 + (head & 0xffffff)
  }
  return Buffer.concat([bytes.subarray(0, frames), ...repeated(bytes.subarray(frames))])
}

/** Every page ends at the first second. */
function ogg(name: string, samplesPerSecond: number): Buffer {
  const bytes = bytesOf(name)
  const pages: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const segments = bytes[at + 26] ?? 0
    let end = at + 27 + segments
    for (let segment = 0; segment < segments; segment++) end += bytes[at + 27 + segment] ?? 0
    const page = bytes.subarray(at, end)
    if (page.readBigUInt64LE(6) > 0n) page.writeBigUInt64LE(BigInt(samplesPerSecond), 6)
    pages.push(page)
    at = end
  }
  const sound = pages.findIndex((page) => page.readBigUInt64LE(6) > 0n)
  return Buffer.concat([...pages.slice(0, sound), ...repeated(Buffer.concat(pages.slice(sound)))])
}

/** The head says a second, and the same clusters come again and again. */
function webm(name: string): Buffer {
  const bytes = bytesOf(name)
  const duration = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]))
  if (duration > 0) bytes.writeDoubleBE(1000, duration + 3)
  const cluster = bytes.indexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75]))
  const cues = bytes.lastIndexOf(Buffer.from([0x1c, 0x53, 0xbb, 0x6b]))
  const end = cues > cluster ? cues : bytes.length
  return Buffer.concat([bytes.subarray(0, cluster), ...repeated(bytes.subarray(cluster, end))])
}

/** Heads of the film and of its track say a second, and samples last a hundredth of what they do. */
function mp4(name: string): Buffer {
  const bytes = bytesOf(name)
  for (const head of ['mvhd', 'mdhd']) {
    const at = bytes.indexOf(head)
    bytes.writeUInt32BE(bytes.readUInt32BE(at + 16), at + 20)
  }
  const tracks = bytes.indexOf('elst')
  if (tracks > 0) bytes.writeUInt32BE(1, tracks + 12)
  const durations = bytes.indexOf('stts')
  const entries = bytes.readUInt32BE(durations + 8)
  for (let entry = 0; entry < entries; entry++) bytes.writeUInt32BE(10, durations + 16 + entry * 8)
  return bytes
}

/** The chunk of sound says a second, and another one follows. */
function wav(): Buffer {
  const bytes = bytesOf('pcm16.wav')
  const data = bytes.indexOf('data')
  const second = bytes.readUInt32LE(28)
  bytes.writeUInt32LE(second, data + 4)
  return Buffer.concat([bytes, ...repeated(bytes.subarray(data + 8))])
}

describe('a recording whose head says a second', () => {
  test.each([
    ['FLAC', flac(), 2.3 * times],
    ['Opus in Ogg', ogg('opus.ogg', 48_000), 2.3 * times],
    ['Vorbis in Ogg', ogg('vorbis.ogg', 44_100), 2.3 * times],
    ['Speex in Ogg', ogg('speex.ogg', 16_000), 2.3 * times],
    ['FLAC in Ogg', ogg('flac.ogg', 44_100), 2.3 * times],
    ['Opus in WebM', webm('opus.webm'), 2.3 * times],
    ['Vorbis in WebM', webm('vorbis.webm'), 2.3 * times],
    ['AAC in MP4', mp4('aac.m4a'), 2.3],
    ['ALAC in MP4', mp4('alac.m4a'), 1.2],
    ['WAV', wav(), 1.2 * times],
  ])('is as long as its frames are: %s', async (_, bytes, real) => {
    expect((await secondsOf(bytes)) / real).toBeWithin(0.95, 1.2)
  })

  const otherBytes = 2_000_000
  /** Beginnings that decoders know, and then nothing that anybody could. */
  const noise = Buffer.alloc(otherBytes)
  for (let at = 0, value = 1; at < otherBytes; at++) {
    value = (Math.imul(value, 1_103_515_245) + 12_345) >>> 0
    noise[at] = value >>> 16
  }
  test.each(['flac.flac', 'opus.ogg', 'vorbis.ogg', 'opus.webm', 'aac.m4a', 'fragmented.mp4'])(
    'and in which nothing else is known is held by its bytes: %s',
    async (name) => {
      const bytes = Buffer.concat([bytesOf(name), noise])
      // 8 kbit/s, the sparsest speech.
      expect((await secondsOf(bytes)) / (otherBytes / 1000)).toBeWithin(0.95, 1.2)
    },
  )

  test('and whose sound is sold as one sample is held by its bytes', async () => {
    const bytes = bytesOf('aac.m4a')
    const sizes = bytes.indexOf('stsz')
    bytes.writeUInt32BE(otherBytes, sizes + 8)
    bytes.writeUInt32BE(1, sizes + 12)
    expect(await secondsOf(bytes)).toBeGreaterThan((0.95 * otherBytes) / 1000)
  })
})
