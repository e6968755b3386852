import { pcmRate, type AudioFormat } from '../../media/audio-format'
import { plainAudio } from '../../formats/speech/audio-reader'
import { unsupportedValue } from '../../formats/speech/schema'
import type { SpeakAbility } from '../vendor'

const outputs: Readonly<Record<AudioFormat, string>> = {
  mp3: 'encoding=mp3',
  opus: 'encoding=opus&container=ogg',
  aac: 'encoding=aac',
  flac: 'encoding=flac',
  wav: `encoding=linear16&container=wav&sample_rate=${pcmRate}`,
  pcm: `encoding=linear16&container=none&sample_rate=${pcmRate}`,
}

/**
 * Speech, priced by the character. A voice is the end of a model's name there: `aura-2-thalia-en`.
 * @see deepgram/deepgram-api-specs, `POST /v1/speak`
 */
export const speech: SpeakAbility = {
  request({ input, voice, format, speed }, { route }) {
    if (speed !== 1) throw unsupportedValue('speed', '1')
    const model = modelOf(route.vendorModel, voice)
    return {
      method: 'POST',
      path: `/speak?model=${encodeURIComponent(model)}&${outputs[format]}`,
      contentType: 'application/json',
      body: JSON.stringify({ text: input }),
    }
  },
  openReply: () => plainAudio(),
}

/** A route may lead to one voice alone, and a client may name a voice by its whole name. */
const modelOf = (vendorModel: string, voice: string): string => {
  if (/-[a-z]{2}$/.test(vendorModel)) return vendorModel
  return voice.startsWith(`${vendorModel}-`) ? voice : `${vendorModel}-${voice}`
}
