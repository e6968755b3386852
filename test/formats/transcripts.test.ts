import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { renderSrt, renderVtt, segmentsOf } from '../../src/gateway/formats/transcripts/cues'
import { renderTranscript } from '../../src/gateway/formats/transcripts/render'
import { checkAudioBody } from '../../src/gateway/formats/transcripts/schema'
import { spokenTime } from '../../src/gateway/formats/transcripts/spoken-time'
import type { Transcript, Word } from '../../src/gateway/formats/transcripts/transcript'

const transcript = (rest: Partial<Transcript>): Transcript => ({
  text: 'Words.',
  language: null,
  seconds: null,
  segments: [],
  words: [],
  usage: null,
  ...rest,
})
const say = (text: string, each = 0.4, pause = 0.1): Word[] =>
  text.split(' ').map((word, at) => ({
    word,
    start: at * (each + pause),
    end: at * (each + pause) + each,
  }))

describe('subtitles', () => {
  test('end with a sentence, in a silence, and before they are too long to read', () => {
    const words = [
      ...say('It rained. Nobody came'),
      { word: 'then', start: 5, end: 5.2 },
      ...say('and so on and on '.repeat(12).trim()).map(({ word, start, end }) => ({
        word,
        start: start + 6,
        end: end + 6,
      })),
    ]
    const cues = segmentsOf(transcript({ words }), 60)
    expect(cues.slice(0, 2).map(({ text }) => text)).toEqual(['It rained.', 'Nobody came'])
    expect(cues.length).toBeGreaterThan(4)
    for (const { text, start, end } of cues) {
      expect(text.length).toBeLessThanOrEqual(84)
      expect(end - start).toBeLessThanOrEqual(7)
    }
    expect(cues.map(({ text }) => text).join(' ')).toBe(words.map(({ word }) => word).join(' '))
  })

  test('change with the speaker', () => {
    const words = [
      { word: 'Yes', start: 0, end: 0.3, speaker: 'A' },
      { word: 'No', start: 0.3, end: 0.6, speaker: 'B' },
    ]
    expect(renderSrt(segmentsOf(transcript({ words }), 1))).toBe(
      '1\n00:00:00,000 --> 00:00:00,300\nA: Yes\n\n2\n00:00:00,300 --> 00:00:00,600\nB: No\n\n',
    )
  })

  test('are one for all where nothing has a time, and none where nothing is said', () => {
    expect(segmentsOf(transcript({}), 3.5)).toEqual([{ start: 0, end: 3.5, text: 'Words.' }])
    expect(segmentsOf(transcript({ text: ' ' }), 3.5)).toEqual([])
    expect(renderVtt([])).toBe('WEBVTT\n\n')
  })

  test('count hours, round once, and never end before they begin', () => {
    const segments = [
      { start: 3599.9996, end: 3661.5, text: 'a' },
      { start: 360_000, end: 1, text: 'b' },
    ]
    expect(renderVtt(segments)).toBe(
      'WEBVTT\n\n01:00:00.000 --> 01:01:01.500\na\n\n100:00:00.000 --> 100:00:00.000\nb\n\n',
    )
  })

  test('any words make cues that a reader can cut apart again', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', '-->', '.', 'ی', '\n\n') })
    const time = fc.double({ min: 0, max: 90_000, noNaN: true })
    const word = fc.record({ word: text, start: time, end: time })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const segments = segmentsOf(transcript({ words, text: '' }), 10)
        const cues = renderSrt(segments).split('\n\n').slice(0, -1)
        expect(cues.length).toBe(segments.length)
        cues.forEach((cue, at) => {
          const [number, times, ...lines] = cue.split('\n')
          expect(number).toBe(String(at + 1))
          expect(times).toMatch(/^\d{2,}:[0-5]\d:[0-5]\d,\d{3} --> \d{2,}:[0-5]\d:[0-5]\d,\d{3}$/)
          expect(lines.join('\n')).not.toContain('-->')
        })
      }),
    )
  })
})

describe('a transcript', () => {
  const rendered = (language: string | null): unknown => {
    const body = checkAudioBody(
      [
        ['model', 'm'],
        ['response_format', 'verbose_json'],
      ],
      'transcribe',
    )
    const wanted = { task: 'transcribe', body, seconds: 2 } as const
    return JSON.parse(renderTranscript(transcript({ language }), wanted).body)
  }

  test('names its language as the reference does', () => {
    const names = [
      ['fa', 'persian'],
      ['fas', 'persian'],
      ['eng', 'english'],
      ['en-US', 'english'],
      ['English', 'english'],
      ['', 'unknown'],
      [null, 'unknown'],
    ] as const
    for (const [told, name] of names) expect(rendered(told)).toMatchObject({ language: name })
  })

  test('has every field that typed clients want of a segment', () => {
    expect(rendered('fa')).toEqual({
      task: 'transcribe',
      language: 'persian',
      duration: 2,
      text: 'Words.',
      segments: [
        {
          id: 0,
          seek: 0,
          start: 0,
          end: 2,
          text: 'Words.',
          tokens: [],
          temperature: 0,
          avg_logprob: 0,
          compression_ratio: 0,
          no_speech_prob: 0,
        },
      ],
      usage: { type: 'duration', seconds: 2 },
    })
  })
})

test('a time is read in each way that models write it', () => {
  const times = [
    ['01:02', 62],
    ['1:02:03.5', 3723.5],
    ['00:03,250', 3.25],
    ['12.5', 12.5],
    ['7s', 7],
    [3.5, 3.5],
    ['soon', null],
    ['', null],
    [-1, null],
    [null, null],
    ['1:2:3:4', null],
  ] as const
  for (const [written, seconds] of times) expect(spokenTime(written)).toBe(seconds)
})

describe('a form', () => {
  test('may have fields called as what every object has', () => {
    const sent = ['toString', '__proto__', 'constructor'].map((name) => [name, 'x'] as const)
    const body = checkAudioBody([['model', 'm'], ...sent], 'transcribe')
    expect(body).toMatchObject({ model: 'm', extras: [] })
  })
})
