import type { SeedModel } from '../../src/gateway/catalogue/seed'
import type { Capabilities } from '../../src/domain/model'

const plain = ['json', 'text'] as const
const timed = [...plain, 'srt', 'vtt', 'verbose_json'] as const
const diarized = 'diarized_json'

/** Forms of answer of each family, by its vendor's published interface of November 2026. */
export const heardChoices: readonly {
  readonly ids: RegExp
  readonly capabilities: Capabilities
}[] = [
  // The names under which the reference and its like sell it; another vendor's do not translate.
  { ids: /^whisper-(?:1|large-v3)$/, capabilities: { formats: timed, translation: true } },
  { ids: /^whisper-large-v3-turbo$/, capabilities: { formats: timed, translation: false } },
  {
    ids: /^gpt-4o-transcribe-diarize/,
    capabilities: { streaming: true, formats: [...plain, diarized], translation: false },
  },
  {
    ids: /^gpt-4o(?:-mini)?-transcribe/,
    capabilities: { streaming: true, formats: plain, translation: false },
  },
  {
    ids: /^(?:scribe_|whisper|(?:nova|enhanced|base)(?:-|$))/,
    capabilities: { formats: [...timed, diarized], translation: false },
  },
]

/** Chat models that hear well, and do not think long about it. */
const hearing = /^gemini-\d[\d.]*-flash(?:-lite)?$/
const meters: ReadonlySet<string> = new Set(['input', 'input_audio', 'output'])

/**
 * Google sells no model for recordings alone: its chat models are told to write down what they
 * hear. Under a name of their own, since a model belongs to one endpoint.
 */
export const hearingTwins = (models: readonly SeedModel[]): readonly SeedModel[] =>
  models
    .filter(
      ({ owner, type, id, lines }) =>
        owner === 'google' &&
        type === 'chat' &&
        hearing.test(id) &&
        lines.some(({ meter }) => meter === 'input_audio'),
    )
    .map((model) => ({
      ...model,
      id: `${model.id}-transcribe`,
      type: 'audio_stt',
      name: `${model.name} (transcription)`,
      contextLength: null,
      maxOutputTokens: null,
      capabilities: { streaming: true, formats: [...timed, diarized], translation: true },
      traits: {
        ...(model.traits.thinking === undefined ? {} : { thinking: model.traits.thinking }),
        ...(model.traits.efforts === undefined ? {} : { efforts: model.traits.efforts }),
        audioTokensPerSecond: 32,
      },
      lines: model.lines.filter(({ meter }) => meters.has(meter)),
    }))
