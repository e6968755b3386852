import type { PriceUnit } from '../../domain/model'
import type { Meter } from '../../domain/usage'

/** A key of the public `pricing` object, and the line it stands for. */
export interface PublicPrice {
  readonly meter: Meter
  readonly unit: PriceUnit
}

/** Keys of the public `pricing` object; also what prices are called on the command line. */
export const publicPrices = {
  input_per_million: { meter: 'input', unit: 'million' },
  output_per_million: { meter: 'output', unit: 'million' },
  cached_input_per_million: { meter: 'cached_input', unit: 'million' },
  cache_write_per_million: { meter: 'cache_write_5m', unit: 'million' },
  cache_write_1h_per_million: { meter: 'cache_write_1h', unit: 'million' },
  input_audio_per_million: { meter: 'input_audio', unit: 'million' },
  cached_input_audio_per_million: { meter: 'cached_input_audio', unit: 'million' },
  output_audio_per_million: { meter: 'output_audio', unit: 'million' },
  input_image_per_million: { meter: 'input_image', unit: 'million' },
  cached_input_image_per_million: { meter: 'cached_input_image', unit: 'million' },
  output_image_per_million: { meter: 'output_image', unit: 'million' },
  per_image: { meter: 'image', unit: 'each' },
  per_minute: { meter: 'audio_second', unit: 'minute' },
  per_second: { meter: 'video_second', unit: 'each' },
  per_million_characters: { meter: 'character', unit: 'million' },
  per_request: { meter: 'request', unit: 'each' },
  per_web_search: { meter: 'tool:web_search', unit: 'each' },
  per_web_search_preview: { meter: 'tool:web_search_preview', unit: 'each' },
  per_file_search: { meter: 'tool:file_search', unit: 'each' },
  per_image_generation: { meter: 'tool:image_generation', unit: 'each' },
  per_code_interpreter: { meter: 'tool:code_interpreter', unit: 'each' },
} as const satisfies Record<string, PublicPrice>
