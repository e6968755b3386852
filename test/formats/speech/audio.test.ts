import { describe, expect, test } from 'bun:test'
import { openGeminiAudio } from '../../../src/gateway/formats/gemini/audio'
import { plainAudio, type AudioReader } from '../../../src/gateway/formats/speech/audio-reader'
import { openPlayingTime } from '../../../src/gateway/media/playing-time'
import { openSpeechEvents } from '../../../src/gateway/formats/speech/speech-events'
import { readWavHead, wavHead } from '../../../src/gateway/media/wav'
import { geminiAudio, recorded, recordedMp3At44100, spokenEvents } from '../../support/voices'

const { pcm, wav } = recorded

/** In pieces of this size, each lent: what a reader keeps it must have copied. */
function read(reader: AudioReader, body: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const lent = new Uint8Array(size)
  const out: Uint8Array[] = []
  for (let at = 0; at < body.byteLength; at += size) {
    const piece = body.subarray(at, at + size)
    lent.set(piece)
    const audio = reader.push(lent.subarray(0, piece.byteLength))
    if (audio !== null) out.push(audio)
    lent.fill(0)
  }
  const rest = reader.end()
  if (rest !== null) out.push(rest)
  return new Uint8Array(Buffer.concat(out))
}

const refusals = {
  refuse(event: Record<string, unknown>) {
    if (event['error'] !== undefined) throw new Error('refused')
  },
  blocked(reason: string): never {
    throw new Error(`blocked ${reason}`)
  },
}
const encode = (text: string) => new TextEncoder().encode(text)

describe('the header of a WAV file', () => {
  test('is read as it was written, with a length or without', () => {
    expect(readWavHead(wavHead(24_000, 100))).toEqual({
      rate: 24_000,
      channels: 1,
      bits: 16,
      dataAt: 44,
      dataBytes: 100,
    })
    const endless = wavHead(16_000, null)
    expect(readWavHead(endless)).toMatchObject({ rate: 16_000, dataBytes: 0xffffffff })
    expect(new DataView(endless.buffer).getUint32(4, true)).toBe(0xffffffff)
  })

  test('is found behind other parts of the file, and not before it is whole', () => {
    expect(readWavHead(wav)).toMatchObject({ rate: 24_000, dataAt: 78, dataBytes: 24_000 })
    for (let bytes = 0; bytes < 78; bytes++) expect(readWavHead(wav.slice(0, bytes))).toBeNull()
    expect(readWavHead(encode('RIFX0000WAVE'))).toBeNull()
  })
})

describe('audio in the body of an answer', () => {
  const sizes = [1, 2, 3, 7, 999, 1_000_000]

  test.each(sizes)('as it is, in pieces of %d bytes, behind a header once', (size) => {
    expect(read(plainAudio(), pcm, size)).toEqual(pcm)
    const head = wavHead(24_000, null)
    expect(read(plainAudio(head), pcm, size)).toEqual(new Uint8Array([...head, ...pcm]))
  })

  test.each(sizes)('in events of the reference, in pieces of %d bytes', (size) => {
    const reader = openSpeechEvents(refusals.refuse)
    const usage = { input_tokens: 3, output_tokens: 10 }
    expect(read(reader, spokenEvents(recorded.mp3, usage, 301), size)).toEqual(recorded.mp3)
    expect(reader.complete()).toBe(true)
    expect(reader.usage()).toEqual({
      units: { input: 3, output_audio: 10 },
      reasoning: 0,
      estimated: false,
    })
  })

  test('ends once: a count that comes again takes nothing back', () => {
    const reader = openSpeechEvents(refusals.refuse)
    for (const usage of [{ input_tokens: 3, output_tokens: 10 }, { output_tokens: 2 }, null])
      read(reader, spokenEvents(new Uint8Array(), usage), 1000)
    expect(reader.usage()?.units).toEqual({ input: 3, output_audio: 10 })
  })

  test.each(sizes)('in events of Google, in pieces of %d bytes, files and samples', (size) => {
    const parts = [pcm.slice(0, 1001), pcm.slice(1001, 9000), pcm.slice(9000)]
    const body = encode(
      parts
        .map((part, at) => geminiAudio(part, 'audio/L16;rate=24000', at === 2 ? 'STOP' : null))
        .map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`)
        .join(''),
    )
    const bare = openGeminiAudio({ format: 'pcm', events: true, ...refusals })
    expect(read(bare, body, size)).toEqual(pcm)
    const file = openGeminiAudio({ format: 'wav', events: true, ...refusals })
    const head = wavHead(24_000, null)
    expect(read(file, body, size)).toEqual(new Uint8Array([...head, ...pcm]))
    expect([bare.complete(), file.complete()]).toEqual([true, true])
    expect(bare.usage()?.units).toEqual({ input: 7, output_audio: 13 })
  })

  test('in one JSON of Google: a file that knows its length', () => {
    const body = encode(JSON.stringify(geminiAudio(pcm, 'audio/L16;codec=pcm;rate=24000')))
    const reader = openGeminiAudio({ format: 'wav', events: false, ...refusals })
    expect(readWavHead(read(reader, body, 1000))?.dataBytes).toBe(pcm.byteLength)
    const finished = encode(JSON.stringify(geminiAudio(wav, 'audio/wav')))
    const bare = openGeminiAudio({ format: 'pcm', events: false, ...refusals })
    expect(read(bare, finished, 1000)).toEqual(pcm)
  })

  test('is not over without its own end', () => {
    const cut = spokenEvents(recorded.mp3, null).slice(0, 3000)
    const events = openSpeechEvents(refusals.refuse)
    expect(events.push(cut)?.byteLength).toBeGreaterThan(900)
    expect(events.complete()).toBe(false)
    const unfinished = encode(`data: ${JSON.stringify(geminiAudio(pcm, 'audio/L16', null))}\n\n`)
    const gemini = openGeminiAudio({ format: 'pcm', events: true, ...refusals })
    read(gemini, unfinished, 1000)
    expect(gemini.complete()).toBe(false)
  })

  test.each([
    ['an error', { error: { message: 'no' } }, 'refused'],
    ['a refused prompt', { promptFeedback: { blockReason: 'SAFETY' } }, 'blocked SAFETY'],
    ['a refused answer', { candidates: [{ finishReason: 'SAFETY' }] }, 'blocked SAFETY'],
    ['audio of another kind', geminiAudio(pcm, 'audio/mulaw'), 'unknown audio format'],
  ])('is none in %s', (_, answer, message) => {
    const reader = openGeminiAudio({ format: 'wav', events: false, ...refusals })
    reader.push(encode(JSON.stringify(answer)))
    expect(() => reader.end()).toThrow(message)
  })
})

describe('how long audio plays', () => {
  // As an independent player says, with the silent frame that an encoder begins with.
  test.each([
    ['mp3', recorded.mp3, 0.576],
    ['mp3', recordedMp3At44100, 0.5747],
    ['opus', recorded.opus, 0.5065],
    ['aac', recorded.aac, 0.5547],
    ['wav', wav, 0.5],
    ['pcm', pcm, 0.5],
  ] as const)('is told by %s files, in any pieces', (format, bytes, seconds) => {
    for (const size of [1, 13, 1000, bytes.byteLength]) {
      const playing = openPlayingTime(format)
      for (let at = 0; at < bytes.byteLength; at += size) playing.take(bytes.slice(at, at + size))
      expect(playing.seconds()).toBeCloseTo(seconds, 3)
    }
  })

  test('grows as the bytes come', () => {
    const playing = openPlayingTime('mp3')
    expect(playing.seconds()).toBeNull()
    playing.take(recorded.mp3.slice(0, 2000))
    const half = playing.seconds() ?? 0
    playing.take(recorded.mp3.slice(2000))
    expect(half).toBeGreaterThan(0.2)
    expect(playing.seconds()).toBeGreaterThan(half)
  })

  test('is not told by FLAC, nor by what is no audio', () => {
    for (const [format, bytes] of [
      ['flac', recorded.flac],
      ['mp3', encode('no audio at all, but long enough to look into')],
      ['aac', encode('no audio at all, but long enough to look into')],
      ['opus', encode('no audio at all, but long enough to look into')],
      ['wav', new Uint8Array(10_000)],
    ] as const) {
      const playing = openPlayingTime(format)
      playing.take(bytes)
      expect(playing.seconds()).toBeNull()
    }
  })
})
