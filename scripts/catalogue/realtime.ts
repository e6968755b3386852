import type { Capabilities, PriceLine } from '../../src/domain/model'
import type { Meter } from '../../src/domain/usage'
import { priceOf, rowOf, textOf, type Row } from './sources'

/** Whether a row of the first source is a model that speaks over the realtime channel, and there only. */
export const speaks = (row: Row): boolean => row['mode'] === 'realtime'

/**
 * What the first source and the third call each price. The first names some of them oddly: a token of
 * a picture as a picture, and for the elder models the reading of cached sound as its writing.
 */
const fields: readonly (readonly [Meter, readonly string[], string])[] = [
  ['input', ['input_cost_per_token'], 'request_token'],
  ['cached_input', ['cache_read_input_token_cost'], ''],
  ['output', ['output_cost_per_token'], 'response_token'],
  ['input_audio', ['input_cost_per_audio_token'], 'request_audio_token'],
  [
    'cached_input_audio',
    ['cache_read_input_audio_token_cost', 'cache_creation_input_audio_token_cost'],
    '',
  ],
  ['output_audio', ['output_cost_per_audio_token'], 'response_audio_token'],
  ['input_image', ['input_cost_per_image'], 'request_image_token'],
]

/** Where the sources differ the dearer one counts: it sells nothing below its cost. */
export function realtimeLines(row: Row, other: Row): readonly PriceLine[] {
  const third = rowOf(rowOf(other['pricing_config'])['pay_as_you_go'])
  return fields.flatMap(([meter, names, name]) => {
    const one = priceOf(names.map((each) => row[each]).find(textOf), 1_000_000)
    const two = priceOf(rowOf(third[name])['price'], 1_000_000 / 100)
    const price = Number(two ?? 0) > Number(one ?? 0) ? two : one
    return price === null ? [] : [{ meter, unit: 'million' as const, price }]
  })
}

export const realtimeCapabilities = (row: Row, lines: readonly PriceLine[]): Capabilities => ({
  streaming: true,
  tools: row['supports_function_calling'] !== false,
  vision: lines.some(({ meter }) => meter === 'input_image'),
  audio_input: true,
  realtime: true,
})
