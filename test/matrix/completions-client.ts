import { fieldsOf, isFields, listOf, type Fields } from '../../src/gateway/json/fields'
import { eventsOf } from '../support/sse'
import { toldOf } from './chat-client'
import type { Answered, MatrixClient, Streamed } from './run-matrix'
import type { Question, Said } from './scenarios'

function saidIn(choices: readonly Fields[], usage: unknown): Answered {
  const finish = choices.map((each) => each['finish_reason']).find((each) => each !== null)
  return {
    text: choices.map(({ text }) => String(text)).join(''),
    reasoning: '',
    calls: [],
    finish: (finish ?? 'stop') as Said['finish'],
    told: toldOf(usage),
  }
}

const choicesIn = (body: unknown): readonly Fields[] =>
  listOf(fieldsOf(body)['choices']).filter(isFields)

function readStream(text: string): Streamed {
  const events = eventsOf(text)
  if (events.at(-1) !== '[DONE]') throw new Error('a stream without its end')
  const chunks = events.slice(0, -1).map((data) => fieldsOf(JSON.parse(data)))
  const failed = chunks.find((each) => each['error'] !== undefined)
  const last = chunks.at(-1) ?? {}
  for (const each of chunks)
    if (each !== failed && each['object'] !== 'text_completion') throw new Error('another object')
  return {
    ...saidIn(chunks.flatMap(choicesIn), last['usage']),
    error: failed === undefined ? null : String(fieldsOf(failed['error'])['code']),
    costUsd: String(last['cost_usd']),
  }
}

/** What the format can ask: texts alone. */
const canAsk = ({ image, tools, effort, schema }: Question): boolean =>
  [image, tools, effort, schema].every((each) => each === undefined)

/** The old format that completes a text. */
export const completionsClient: MatrixClient = {
  name: 'completions',
  path: '/completions',
  canAsk,
  ask: (model, { text, maxTokens }, stream) => ({
    model,
    prompt: text,
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(stream ? { stream } : {}),
  }),
  readWhole(body) {
    if (fieldsOf(body)['object'] !== 'text_completion') throw new Error('no text')
    return saidIn(choicesIn(body), fieldsOf(body)['usage'])
  },
  readStream,
  codeOf: (body) => String(fieldsOf(fieldsOf(body)['error'])['code']),
}
