import { pcmRate, type AudioFormat } from '../../media/audio-format'
import { plainAudio } from '../../formats/speech/audio-reader'
import { unsupportedValue } from '../../formats/speech/schema'
import { wavHead } from '../../media/wav'
import type { SpeakAbility } from '../vendor'

/** Its files of bare samples get their header here: those with one are not for every account. */
const outputs: Readonly<Partial<Record<AudioFormat, string>>> = {
  mp3: 'mp3_44100_128',
  opus: 'opus_48000_128',
  wav: `pcm_${pcmRate}`,
  pcm: `pcm_${pcmRate}`,
}

/** Bounds of `voice_settings.speed`. */
const slowest = 0.7
const fastest = 1.2

/**
 * Speech, priced by the character. Tone and manner are words of the text there: `[whispers]`.
 * @see vercel/ai `packages/elevenlabs` of 2026-08-22, `POST /v1/text-to-speech/{voice_id}`
 */
export const speech: SpeakAbility = {
  formats: ['mp3', 'opus', 'wav', 'pcm'],
  request({ input, voice, format, speed }, { route }) {
    if (speed < slowest || speed > fastest)
      throw unsupportedValue('speed', `a number from ${slowest} to ${fastest}`)
    return {
      method: 'POST',
      path: `/text-to-speech/${encodeURIComponent(voiceId(voice))}?output_format=${outputs[format]}`,
      contentType: 'application/json',
      body: JSON.stringify({
        text: input,
        model_id: route.vendorModel,
        ...(speed === 1 ? {} : { voice_settings: { speed } }),
      }),
    }
  },
  openReply: ({ speech: { format } }) =>
    plainAudio(format === 'wav' ? wavHead(pcmRate, null) : null),
}

/** Ids of the voices that every account has, by name in small letters. Others are named by their id. */
const ids: ReadonlyMap<string, string> = new Map(
  Object.entries({
    adam: 'pNInz6obpgDQGcFmaJgB',
    alice: 'Xb7hH8MSUJpSbSDYk0k2',
    aria: '9BWtsMINqrJLrRacOk9x',
    bella: 'hpp4J3VqNfWAUOO0d1Us',
    bill: 'pqHfZKP75CvOlQylNhV4',
    brian: 'nPczCjzI2devNBz1zQrb',
    callum: 'N2lVS1w4EtoT3dr4eOWO',
    charlie: 'IKne3meq5aSn9XLyUdCD',
    charlotte: 'XB0fDUnXU5powFXDhCwa',
    chris: 'iP95p4xoKVk53GoZ742B',
    daniel: 'onwK4e9ZLuTAKqWW03F9',
    eric: 'cjVigY5qzO86Huf0OWal',
    george: 'JBFqnCBsd6RMkjVDRZzb',
    harry: 'SOYHLrjzK2X1ezoPC6cr',
    jessica: 'cgSgspJ2msm6clMCkdW9',
    laura: 'FGY2WhTYpPnrIDTdsKH5',
    liam: 'TX3LPaxmHKxFdv7VOQHJ',
    lily: 'pFZP5JQG7iQjIQuC4Bku',
    matilda: 'XrExE9yKIg1WjnnlVkGX',
    rachel: '21m00Tcm4TlvDq8ikWAM',
    river: 'SAz9YHcvj6GT2YYXdXww',
    roger: 'CwhRBWXzGAHq8TQ4Fs17',
    sarah: 'EXAVITQu4vr4xnSDxMaL',
    will: 'bIHbv24MWmeRgasZH58o',
  }),
)

/** The vendor's id of a voice; what is no name of a known one is taken for an id. */
const voiceId = (voice: string): string => ids.get(voice.toLowerCase()) ?? voice
