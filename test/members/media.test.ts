import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Fields } from '../../src/gateway/json/fields'
import { openMediaDesk, type MediaDesk, type Medium, type Vendor } from './media-desk'
import {
  embeddingsTable,
  imagesTable,
  speechTable,
  transcriptionsTable,
  translationsTable,
  videosTable,
} from './media-table'
import { membersOf } from './official-members'
import { misjudged, type Row } from './verdict'

interface Endpoint {
  readonly path: string
  readonly medium: Medium
  /** Whom it is asked of; all that make the medium unless told otherwise. */
  readonly vendors?: readonly Vendor[]
  /** What no request goes without. */
  readonly base: Fields
  readonly table: Readonly<Record<string, Row<Vendor>>>
  /** Where the clients declare what can be sent: file and interface. */
  readonly declared: readonly [file: string, name: string]
}

const sold: Readonly<Record<Medium, readonly Vendor[]>> = {
  image: ['openai', 'generic', 'xai', 'together', 'google'],
  embedding: ['openai', 'generic', 'mistral', 'google'],
  audio_tts: ['openai', 'elevenlabs', 'deepgram', 'google'],
  audio_stt: ['openai', 'elevenlabs', 'deepgram', 'google'],
  moderation: ['openai'],
  video: ['openai'],
}

const endpoints: readonly Endpoint[] = [
  {
    path: '/images/generations',
    medium: 'image',
    base: { prompt: 'hi' },
    table: imagesTable,
    declared: ['images', 'ImageGenerateParamsBase'],
  },
  {
    path: '/embeddings',
    medium: 'embedding',
    base: { input: 'hi' },
    table: embeddingsTable,
    declared: ['embeddings', 'EmbeddingCreateParams'],
  },
  {
    path: '/audio/speech',
    medium: 'audio_tts',
    base: { input: 'hi', voice: 'alloy' },
    table: speechTable,
    declared: ['audio/speech', 'SpeechCreateParams'],
  },
  {
    path: '/audio/transcriptions',
    medium: 'audio_stt',
    base: { file: 'a recording' },
    table: transcriptionsTable,
    declared: ['audio/transcriptions', 'TranscriptionCreateParamsBase'],
  },
  {
    path: '/audio/translations',
    medium: 'audio_stt',
    vendors: ['openai', 'google'],
    base: { file: 'a recording' },
    table: translationsTable,
    declared: ['audio/translations', 'TranslationCreateParams'],
  },
  {
    path: '/moderations',
    medium: 'moderation',
    base: { input: 'hi' },
    table: {},
    declared: ['moderations', 'ModerationCreateParams'],
  },
  {
    path: '/videos',
    medium: 'video',
    base: { prompt: 'hi' },
    table: videosTable,
    declared: ['videos', 'VideoCreateParams'],
  },
]

let desk: MediaDesk
beforeAll(async () => void (desk = await openMediaDesk(sold)))
afterAll(() => desk.close())

describe.each(endpoints)(
  'what clients can send to $path',
  ({ path, medium, vendors = sold[medium], base, table, declared: [file, name] }) => {
    test('is in the table, all of it', () => {
      const clients = ['openai', 'openai-6']
      const members = clients.flatMap((each) => membersOf(`${each}/resources/${file}`, name))
      const others = members.filter((each) => each !== 'model' && !Object.hasOwn(base, each))
      expect([...new Set(others)].sort()).toEqual(Object.keys(table).sort())
    })

    test.each(vendors)('reaches the vendor %s as the table says', async (vendor) => {
      const body = { ...base, model: `${medium}-${vendor}` }
      const without = await desk.ask(path, body)
      expect(without.status).toBe(200)
      const wrong: Record<string, string> = {}
      for (const [member, { sample, verdicts }] of Object.entries(table)) {
        const came = await desk.ask(path, { ...body, [member]: sample })
        const found = misjudged(member, sample, verdicts[vendor], { came, without })
        if (found !== null) wrong[member] = found
      }
      expect(wrong).toEqual({})
    })
  },
)
