import type { Capabilities, ModelType, PriceLine } from '../../src/domain/model'
import { heardChoices } from './ears'
import { spokenChoices } from './voices'
import { rowOf, stringsOf, type Row } from '../../src/business/pricing/sources/rows'

/** Choices that no source lists, by family: those of each vendor's published interface. */
const choices: readonly { readonly ids: RegExp; readonly capabilities: Capabilities }[] = [
  {
    ids: /^gpt-image-1/,
    capabilities: {
      sizes: ['1024x1024', '1536x1024', '1024x1536', 'auto'],
      formats: ['png', 'jpeg', 'webp'],
    },
  },
  { ids: /^(?:gpt-image-2|chatgpt-image)/, capabilities: { formats: ['png', 'jpeg', 'webp'] } },
  {
    ids: /^sora-2/,
    capabilities: { sizes: ['1280x720', '720x1280'], seconds: ['4', '8', '12'], vision: true },
  },
  {
    ids: /^veo-2/,
    capabilities: { sizes: ['1280x720', '720x1280'], seconds: ['5', '6', '8'], vision: true },
  },
  {
    ids: /^veo-3/,
    capabilities: { sizes: ['1280x720', '720x1280'], seconds: ['4', '6', '8'], vision: true },
  },
  ...heardChoices,
  ...spokenChoices,
]

/** Capabilities of a model by the sources. */
interface Told {
  readonly type: ModelType
  readonly fact: Row
  readonly row: Row
  readonly lines: readonly PriceLine[]
}

/** What `GET /models` tells of it; a key that makes no sense for the type is left out. */
export function capabilitiesOf(id: string, { type, fact, row, lines }: Told): Capabilities {
  const chosen = choices.find(({ ids }) => ids.test(id))?.capabilities ?? {}
  const sizes = lines.flatMap(({ meter }) => /^video_second:(.+)$/.exec(meter)?.[1] ?? [])
  if (sizes.length > 0) return { ...chosen, sizes }
  if (type !== 'chat') return chosen
  const inputs = stringsOf(rowOf(fact['modalities'])['input'])
  const says = (word: string, field: string) => fact[word] === true || row[field] === true
  return {
    streaming: true,
    tools: says('tool_call', 'supports_function_calling'),
    json: says('structured_output', 'supports_response_schema'),
    vision: inputs.includes('image') || row['supports_vision'] === true,
    reasoning: says('reasoning', 'supports_reasoning'),
    audio_input: inputs.includes('audio') || row['supports_audio_input'] === true,
  }
}
