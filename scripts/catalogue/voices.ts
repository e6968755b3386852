import type { Capabilities, Traits } from '../../src/domain/model'
import { audioFormats } from '../../src/gateway/media/audio-format'

const words = (text: string): readonly string[] => text.split(/\s+/)

const english = words(
  `amalthea andromeda apollo arcas aries asteria athena atlas aurora callista cora cordelia delia draco
  electra harmonia helena hera hermes hyperion iris janus juno jupiter luna mars minerva neptune
  odysseus ophelia orion orpheus pandora phoebe pluto saturn selene thalia theia vesta zeus`,
)
const firstEnglish = words(
  'angus arcas asteria athena helios hera luna orion orpheus perseus stella zeus',
)

/** Voices and formats of each family, by its vendor's published interface of November 2026. */
export const spokenChoices: readonly {
  readonly ids: RegExp
  readonly capabilities: Capabilities
}[] = [
  {
    ids: /^tts-1/,
    capabilities: {
      voices: words('alloy ash coral echo fable onyx nova sage shimmer'),
      formats: audioFormats,
    },
  },
  {
    ids: /^gpt-4o-mini-tts/,
    capabilities: {
      streaming: true,
      voices: words('alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar'),
      formats: audioFormats,
    },
  },
  {
    ids: /^gemini-.*-tts/,
    capabilities: {
      voices: words(
        `Zephyr Puck Charon Kore Fenrir Leda Orus Aoede Callirrhoe Autonoe Enceladus Iapetus Umbriel
          Algieba Despina Erinome Algenib Rasalgethi Laomedeia Achernar Alnilam Schedar Gacrux
          Pulcherrima Achird Zubenelgenubi Vindemiatrix Sadachbia Sadaltager Sulafat`,
      ),
      formats: ['wav', 'pcm'],
    },
  },
  {
    ids: /^eleven_/,
    capabilities: {
      streaming: true,
      voices: words(
        `Adam Alice Aria Bella Bill Brian Callum Charlie Charlotte Chris Daniel Eric George Harry
          Jessica Laura Liam Lily Matilda Rachel River Roger Sarah Will`,
      ),
      formats: ['mp3', 'opus', 'wav', 'pcm'],
    },
  },
  {
    ids: /^aura-2$/,
    capabilities: {
      streaming: true,
      voices: [
        ...english.map((name) => `${name}-en`),
        ...words(
          'celeste-es estrella-es nestor-es aurelia-de agathe-fr beatrix-nl cesare-it ama-ja',
        ),
      ],
      formats: audioFormats,
    },
  },
  {
    ids: /^aura$/,
    capabilities: {
      streaming: true,
      voices: firstEnglish.map((name) => `${name}-en`),
      formats: audioFormats,
    },
  },
  { ids: /^lyria-3-clip/, capabilities: { seconds: ['30'], formats: ['mp3'] } },
  { ids: /^lyria-/, capabilities: { formats: ['mp3'] } },
]

/** Vendors whose accounts have voices of their own, or more than are listed. */
const withVoiceIds: ReadonlySet<string> = new Set(['elevenlabs', 'deepgram'])

export const spokenTraits = (owner: string): Traits =>
  withVoiceIds.has(owner) ? { voiceIds: true } : {}
