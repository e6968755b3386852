import type { AudioFormat } from '../../media/audio-format'
import { pcmRate } from '../../media/audio-format'
import { plainAudio } from '../../formats/speech/audio-reader'
import { notTaken } from '../../formats/speech/not-taken'
import { wavHead } from '../../media/wav'
import type { SpeakAbility } from '../vendor'
import { voiceId } from './voices'

/** Its files of bare samples get their header here: those with one are not for every account. */
const outputs: Readonly<Partial<Record<AudioFormat, string>>> = {
  mp3: 'mp3_44100_128',
  opus: 'opus_48000_128',
  wav: `pcm_${pcmRate}`,
  pcm: `pcm_${pcmRate}`,
}

const slowest = 0.7
const fastest = 1.2

/** Speech, priced by the character. Tone and manner are words of the text there: `[whispers]`. */
export const speech: SpeakAbility = {
  formats: ['mp3', 'opus', 'wav', 'pcm'],
  request({ input, voice, format, speed }, { route }) {
    if (speed < slowest || speed > fastest)
      throw notTaken('speed', `a number from ${slowest} to ${fastest}`)
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
