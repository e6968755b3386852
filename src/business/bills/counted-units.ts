import type { Meter, Units } from '../../domain/usage'
import type { BillUnit, BillUnits } from './bill'

const units: Readonly<Record<string, BillUnit>> = {
  input: 'input',
  input_audio: 'input',
  input_image: 'input',
  cached_input: 'cached_input',
  cached_input_audio: 'cached_input',
  cached_input_image: 'cached_input',
  cache_write_5m: 'cache_write',
  cache_write_1h: 'cache_write',
  output: 'output',
  output_audio: 'output',
  output_image: 'output',
  image: 'image',
  video_second: 'video_second',
  audio_second: 'audio_second',
  character: 'character',
  tool: 'tool',
}

/** Our counted units in the granularity of bills. */
export function countedUnits(counted: Units): BillUnits {
  const folded: Partial<Record<BillUnit, number>> = {}
  for (const [meter, count] of Object.entries(counted) as [Meter, number][]) {
    const unit = units[meter.replace(/:.*$/s, '')]
    if (unit !== undefined) folded[unit] = (folded[unit] ?? 0) + count
  }
  return folded
}

/** The meter whose price is asked for a unit of a bill; null where there is not one. */
export const meterOf: Readonly<Record<BillUnit, Meter | null>> = {
  input: 'input',
  cached_input: 'cached_input',
  cache_write: 'cache_write_5m',
  all_input: 'input',
  output: 'output',
  image: 'image',
  video_second: 'video_second',
  audio_second: 'audio_second',
  character: 'character',
  tool: null,
  unit: null,
}
