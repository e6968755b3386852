import { call, geminiEvent, geminiReply, geminiStream } from '../google-stand-in'
import { clock, page, says, weather, type Shape } from './shape'

/*
 * Streams of Google's format. Streamed arguments: Vertex AI's `streamFunctionCallArguments`,
 * as models of the third generation send them.
 */

const kind = 'google'

const part = (functionCall: object, thoughtSignature?: string) => ({
  functionCall,
  ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
})
const partial = (jsonPath: string, value: object, more = true) =>
  part({ partialArgs: [{ jsonPath, ...value }], ...(more ? { willContinue: true } : {}) })

const end = { text: '' }

const grounded = (text: string, names: readonly string[]): string =>
  geminiEvent({
    ...geminiReply([{ text }], 'STOP'),
    candidates: [
      {
        content: { role: 'model', parts: [{ text }] },
        finishReason: 'STOP',
        index: 0,
        groundingMetadata: {
          webSearchQueries: ['weather'],
          groundingChunks: names.map((name) => ({ web: { uri: page(name), title: name } })),
          groundingSupports: names.map((_, at) => ({
            segment: { ...(at === 0 ? {} : { startIndex: at }), endIndex: at + 1, text: 'x' },
            groundingChunkIndices: [at],
          })),
        },
      },
    ],
  })

const answered: readonly Shape[] = [
  {
    name: 'Gemini: streamed arguments, whose parts have no name, between calls without any',
    kind,
    events: geminiStream([
      [{ text: 'Hm.', thought: true }],
      [part({ name: 'clock' }, 'c2lnbmVk')],
      [part({ name: 'weather', willContinue: true })],
      [partial('$.city', { stringValue: 'Ker', willContinue: true })],
      [partial('$.city', { stringValue: 'man' })],
      [part({})],
      [part({ name: 'weather', willContinue: true })],
      [partial('$.city', { stringValue: 'Arak', willContinue: true })],
      [part({ willContinue: true })],
      [partial('$.city', { stringValue: '' })],
      [part({})],
      [part({ name: 'clock', args: {} })],
      [end],
    ]),
    says: says('', { calls: [clock, weather('Kerman'), weather('Arak'), clock] }),
  },
  {
    name: 'Gemini: streamed arguments with lists and objects, ended by their last value',
    kind,
    events: geminiStream([
      [part({ name: 'weather', willContinue: true })],
      [partial('$.city', { stringValue: 'Sari', willContinue: true })],
      [partial('$.city', { stringValue: '' })],
      [partial('$.days[0].name', { stringValue: 'Sat' })],
      [partial('$.days[0].hours[0]', { numberValue: 9.5 })],
      [partial('$.days[0].hours[1]', { numberValue: 10 })],
      [partial('$.days[1].name', { nullValue: null })],
      [partial("$['with rain.']", { boolValue: true }, false)],
      [end],
    ]),
    says: says('', {
      calls: [
        {
          name: 'weather',
          arguments: {
            city: 'Sari',
            days: [{ name: 'Sat', hours: [9.5, 10] }, { name: null }],
            'with rain.': true,
          },
        },
      ],
    }),
  },
  {
    name: 'Gemini: streamed arguments that nothing ends',
    kind,
    events: geminiStream([
      [part({ name: 'weather', willContinue: true })],
      [partial('$.city', { stringValue: 'Bam', willContinue: true })],
      [end],
    ]),
    says: says('', { calls: [weather('Bam')] }),
  },
  {
    name: 'Gemini: several calls in one event, without ids, one without arguments',
    kind,
    events: geminiStream([
      [{ text: 'I look.' }],
      [call('weather', { city: 'Zanjan' }, 'c2lnbmVk'), part({ name: 'clock', args: null })],
    ]),
    says: says('I look.', { calls: [weather('Zanjan'), clock] }),
  },
  {
    name: 'Gemini: grounding with several pages, a signature on an empty text',
    kind,
    events: [
      geminiEvent(geminiReply([{ text: '', thoughtSignature: 'c2lnbmVk' }])),
      grounded('Sunny.', ['a', 'b', 'c']),
    ],
    says: says('Sunny.', { cites: ['a', 'b', 'c'].map(page) }),
  },
]

const failed: readonly Shape[] = [
  {
    name: 'Gemini: no room, said in the first event',
    kind,
    events: [
      geminiEvent({
        error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' },
      }),
    ],
    says: { status: 429, code: 'upstream_capacity_full' },
  },
  {
    name: 'Gemini: no room, after an event that says nothing',
    kind,
    events: [
      geminiEvent(geminiReply([{ text: '' }])),
      geminiEvent([{ error: { code: 429, message: 'Slow', status: 'RESOURCE_EXHAUSTED' } }]),
    ],
    says: { status: 429, code: 'upstream_rate_limited' },
  },
]

export const geminiShapes: readonly Shape[] = [...answered, ...failed]
