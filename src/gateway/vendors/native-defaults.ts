/** A kind of vendor that speaks a format of its own. */
export interface OwnFormat {
  /** For people. */
  readonly title: string
  /** The vendor's own address; others speak the format too. */
  readonly baseUrl: string
  /** Where its key is found in the environment; the first that is set counts. */
  readonly keyVariables: readonly string[]
  /** Where another address is found, and what is added to one without a version. */
  readonly addressVariable: string | null
  readonly version: string
}

/** Vendors of formats of their own by kind, which is also the owner of their models in the public prices. */
export const ownFormats = {
  anthropic: {
    title: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariables: ['ANTHROPIC_API_KEY'],
    addressVariable: 'ANTHROPIC_BASE_URL',
    version: '/v1',
  },
  google: {
    title: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    addressVariable: null,
    version: '/v1beta',
  },
  elevenlabs: {
    title: 'ElevenLabs',
    baseUrl: 'https://api.elevenlabs.io/v1',
    keyVariables: ['ELEVENLABS_API_KEY', 'ELEVEN_API_KEY'],
    addressVariable: null,
    version: '/v1',
  },
  deepgram: {
    title: 'Deepgram',
    baseUrl: 'https://api.deepgram.com/v1',
    keyVariables: ['DEEPGRAM_API_KEY'],
    addressVariable: null,
    version: '/v1',
  },
} as const satisfies Record<string, OwnFormat>

export type OwnFormatKind = keyof typeof ownFormats

/** Whether a vendor's kind has a format of its own. */
export const isOwnFormat = (kind: string): kind is OwnFormatKind => Object.hasOwn(ownFormats, kind)

/**
 * The owner of the models at an address of such a kind: the vendor itself, or `generic`, of whose
 * models nobody knows public prices.
 */
export const ownerAt = (kind: OwnFormatKind, baseUrl: string): string =>
  new URL(baseUrl).hostname === new URL(ownFormats[kind].baseUrl).hostname ? kind : 'generic'
