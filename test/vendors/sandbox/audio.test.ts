import { describe, expect, test } from 'bun:test'
import { audioFormats, type AudioFormat } from '../../../src/gateway/media/audio-format'
import { openPlayingTime } from '../../../src/gateway/media/playing-time'
import { readWavHead } from '../../../src/gateway/media/wav'
import { audioPieces } from '../../../src/gateway/vendors/sandbox/audio'
import { musicMelody, spokenMelody } from '../../../src/gateway/vendors/sandbox/melody'

const words = 'Every word is a tone of its own, سلام دنیا 😀, and this goes on for some time.'
const melody = spokenMelody(words, 'alloy', 1)
const fileOf = (format: AudioFormat) => Buffer.concat([...audioPieces(melody, format)])
const seconds = melody.reduce((sum, { ms }) => sum + ms, 0) / 1000

/** A checksum bit by bit, highest first: slow, and not the one that is tested. */
function crc(bytes: Uint8Array, bits: number, polynomial: bigint): bigint {
  const mask = (1n << BigInt(bits)) - 1n
  let sum = 0n
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit--) {
      const top = ((sum >> BigInt(bits - 1)) & 1n) ^ BigInt((byte >> bit) & 1)
      sum = ((sum << 1n) ^ (top === 1n ? polynomial : 0n)) & mask
    }
  return sum
}

test.each([...audioFormats].filter((format) => format !== 'flac'))(
  'a %s file plays as long as its notes',
  (format) => {
    const playing = openPlayingTime(format)
    playing.take(fileOf(format))
    // A frame more or less for each note.
    expect(Math.abs((playing.seconds() ?? 0) - seconds)).toBeLessThan(melody.length * 0.025)
  },
)

test('files are the same for the same words, and others for other words, voices and speeds', () => {
  const of = (text: string, voice: string, speed: number) =>
    Bun.hash(Buffer.concat([...audioPieces(spokenMelody(text, voice, speed), 'mp3')]))
  expect(of(words, 'alloy', 1)).toBe(of(words, 'alloy', 1))
  expect(
    new Set([
      of(words, 'alloy', 1),
      of('Other words of the same kind', 'alloy', 1),
      of(words, 'nova', 1),
      of(words, 'alloy', 2),
    ]).size,
  ).toBe(4)
  const music = (prompt: string, seed: number) =>
    Bun.hash(Buffer.concat([...audioPieces(musicMelody(prompt, seed), 'mp3')]))
  expect(new Set([music('a', 1), music('a', 2), music('b', 1), music('a', 1)]).size).toBe(3)
})

describe('every file is well formed', () => {
  test('WAV: as long as it says, of the samples that pcm is', () => {
    const file = fileOf('wav')
    const head = readWavHead(file)
    expect(head).toMatchObject({ rate: 24_000, channels: 1, bits: 16 })
    expect(file.readUInt32LE(4)).toBe(file.length - 8)
    expect(head?.dataBytes).toBe(file.length - 44)
    expect(file.subarray(44).equals(fileOf('pcm'))).toBe(true)
    expect(new Set(new Int16Array(file.buffer.slice(44, 4000))).size).toBeGreaterThan(100)
  })

  test('MP3: one frame of the same kind after the other, to the last byte', () => {
    const file = fileOf('mp3')
    expect(file.length % 96).toBe(0)
    for (let at = 0; at < file.length; at += 96) expect(file.readUInt32BE(at)).toBe(0xfff344c4)
  })

  test('AAC: frames that tell where the next one begins, to the last byte', () => {
    const file = fileOf('aac')
    let at = 0
    while (at < file.length) {
      expect(file.readUInt16BE(at)).toBe(0xfff1)
      at += (file.readUInt32BE(at + 2) >> 5) & 0x1fff
    }
    expect(at).toBe(file.length)
  })

  test('Ogg: pages in order with right checksums, Opus in the first and the last marked', () => {
    const file = fileOf('opus')
    const flags: number[] = []
    let place = -1n
    for (let at = 0, number = 0; at < file.length; number++) {
      expect(file.toString('latin1', at, at + 4)).toBe('OggS')
      const segments = file.readUInt8(at + 26)
      const sizes = file.subarray(at + 27, at + 27 + segments)
      const end = at + 27 + segments + sizes.reduce((sum, each) => sum + each, 0)
      const page = Buffer.from(file.subarray(at, end))
      const told = page.readUInt32LE(22)
      page.writeUInt32LE(0, 22)
      expect(crc(page, 32, 0x04c11db7n)).toBe(BigInt(told))
      expect(page.readUInt32LE(18)).toBe(number)
      expect(page.readBigInt64LE(6)).toBeGreaterThanOrEqual(place)
      place = page.readBigInt64LE(6)
      flags.push(page.readUInt8(5))
      at = end
    }
    expect(file.toString('latin1', 28, 36)).toBe('OpusHead')
    expect([flags[0], flags.at(-1), flags.slice(1, -1).every((each) => each === 0)]).toEqual([
      2,
      4,
      true,
    ])
  })

  test('FLAC: frames with right checksums that hold the samples that pcm is', () => {
    const file = fileOf('flac')
    const pcm = fileOf('pcm')
    expect(file.toString('latin1', 0, 4)).toBe('fLaC')
    expect(Number(file.readBigUInt64BE(18) & 0xfffffffffn)).toBe(pcm.length / 2)
    expect(Number(file.readBigUInt64BE(18) >> 44n)).toBe(24_000)
    const heard: Buffer[] = []
    for (let at = 42, number = 0; at < file.length; number++) {
      const last = file.readUInt8(at + 2) >> 4 === 7
      const ordinal = Buffer.from(String.fromCodePoint(number))
      expect(file.subarray(at + 4, at + 4 + ordinal.length).equals(ordinal)).toBe(true)
      const headEnd = at + 4 + ordinal.length + (last ? 2 : 0)
      const count = last ? file.readUInt16BE(headEnd - 2) + 1 : 4096
      expect(crc(file.subarray(at, headEnd), 8, 0x07n)).toBe(BigInt(file.readUInt8(headEnd)))
      const samples = headEnd + 2
      const end = samples + count * 2
      heard.push(Buffer.from(file.subarray(samples, end)).swap16())
      expect(crc(file.subarray(at, end), 16, 0x8005n)).toBe(BigInt(file.readUInt16BE(end)))
      at = end + 2
    }
    expect(Buffer.concat(heard).equals(pcm)).toBe(true)
  })
})
