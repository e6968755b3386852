import type { Capabilities, PriceLine } from '../../src/domain/model'
import type { Row } from '../../src/business/pricing/sources/rows'
import { litellmLines, portkeyLines } from './price-lines'

/** Whether a row of the first source is a model that speaks over the realtime channel, and there only. */
export const speaks = (row: Row): boolean => row['mode'] === 'realtime'

/** Where the sources differ the dearer one counts: it sells nothing below its cost. */
export function realtimeLines(row: Row, other: Row): readonly PriceLine[] {
  const [first, third] = [litellmLines(row, 'realtime'), portkeyLines(other, 'realtime')]
  const meters = new Set([...first, ...third].map(({ meter }) => meter))
  return [...meters].flatMap((meter) => {
    const told = [first, third].flatMap((lines) => lines.find((each) => each.meter === meter) ?? [])
    return told.toSorted((a, b) => Number(b.price) - Number(a.price)).slice(0, 1)
  })
}

export const realtimeCapabilities = (row: Row, lines: readonly PriceLine[]): Capabilities => ({
  streaming: true,
  tools: row['supports_function_calling'] !== false,
  vision: lines.some(({ meter }) => meter === 'input_image'),
  audio_input: true,
  realtime: true,
})
