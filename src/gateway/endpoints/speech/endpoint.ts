import type { Offer } from '../../catalogue/catalogue'
import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import type { Units, Usage } from '../../../domain/usage'
import { fieldsOf } from '../../json/fields'
import { invalid } from '../../formats/schema-fault'
import { audioFormats, isAudioFormat, type AudioFormat } from '../../media/audio-format'
import { countCharacters } from '../../formats/characters'
import {
  checkSpeechBody,
  unsupportedValue,
  type Speech,
  type SpeechBody,
} from '../../formats/speech/schema'
import { readJson } from '../../http/json-body'
import { exactCeiling } from '../../metering/usage-ceiling'
import type { Reply } from '../../outbound/http1/reply'
import type { Target } from '../../vendors/vendor'
import type { CallBody, Endpoint } from '../../call/endpoint'
import { refusePrivateUrls } from '../fetched-urls'
import { notSupported } from '../not-supported'
import { readSpeech } from './answer'
import { replyText } from '../whole-reply'
import { estimateTokens } from '../../metering/estimate-text'

/** A checked request for speech. */
interface SpeechCall extends CallBody {
  readonly model: string
  readonly body: SpeechBody
}

/** Of vendors that tell neither how many audio tokens they made, nor how many make a second. */
const maxTokensPerSecond = 32
/** Tokens that a vendor adds to the text. */
const vendorWords = 1024
/** A voice may say more than it was given, where nobody knows how much its model can say. */
const ramblingFactor = 4

/**
 * Speech: charged by the characters of `input`, code points, or where a model is sold by tokens by
 * those that went in and those of the audio, as the vendor counts them.
 */
export const speechEndpoint: Endpoint<SpeechCall> = {
  name: 'speech',
  models: 'audio_tts',
  isRelayed: true,
  async read(inbound, maxBytes) {
    const { value } = await readJson(inbound.request, maxBytes)
    const body = checkSpeechBody(value)
    refusePrivateUrls(body)
    return { model: body.model, stream: false, body }
  },
  estimate({ body }, offer) {
    const speech = speechOf(body, offer)
    const known = knownUnits(body, offer)
    if (known !== null) return { low: known, usual: known, possible: exactCeiling(known) }
    const { input, likelySeconds, maxSeconds } = estimateSpeech(speech)
    return {
      low: unitsOf(input, likelySeconds, maxTokensPerSecond),
      usual: unitsOf(input, maxSeconds, maxTokensPerSecond),
      possible: {
        inputTokens: Buffer.byteLength(speech.input + (speech.instructions ?? '')) + vendorWords,
        outputTokens:
          offer.model.maxOutputTokens ??
          Math.ceil(maxSeconds * maxTokensPerSecond * ramblingFactor),
        others: {},
      },
    }
  },
  async ask({ body }, target, { offer }) {
    const { speak } = target.vendor.abilities
    if (speak === undefined) throw notSupported('speech', offer)
    const speech = speechOf(body, offer, speak.formats)
    const known = knownUnits(body, offer)
    const model = offer.model.id
    const perSecond = speak.tokensPerSecond ?? maxTokensPerSecond
    return {
      request: speak.request(speech, target),
      async answer(reply) {
        const mediaType = (reply.headers.get('content-type') ?? '').toLowerCase()
        if (speak.json !== true && noAudio.test(mediaType))
          throw await failureInside(reply, target, offer)
        return await readSpeech(reply.source, {
          speech,
          reader: speak.openReply({ speech, model, mediaType }),
          knownUsage: known === null ? null : { units: known, reasoning: 0, estimated: false },
          estimate: (seconds) => estimated(speech, seconds, perSecond),
        })
      },
    }
  },
}

/** A failure inside a success, or a page of a proxy: it must not be sold as a voice. */
const noAudio = /json|html|xml|^text\/(?!event-stream)/

/** Null where the price depends on the vendor's audio. */
const knownUnits = ({ input }: SpeechBody, { rates }: Offer): Units | null =>
  rates.base['character'] === undefined ? null : { character: countCharacters(input) }

const unitsOf = (input: number, seconds: number, perSecond: number): Units => ({
  input,
  output_audio: Math.ceil(seconds * perSecond),
})

function estimated(speech: Speech, seconds: number | null, perSecond: number): Usage {
  const { input, likelySeconds } = estimateSpeech(speech)
  const units = unitsOf(input, seconds ?? likelySeconds, perSecond)
  return { units, reasoning: 0, estimated: true }
}

/**
 * Requested speech, in terms of the model.
 * @param given what the vendor gives, once it is known who that is
 * @throws upstream_rejected for a format that it does not give | invalid_field for a voice it does not have
 */
function speechOf(
  body: SpeechBody,
  { model }: Offer,
  given: readonly AudioFormat[] = audioFormats,
): Speech {
  const { input, voice, instructions, response_format: asked, speed } = body
  const sold = model.capabilities.formats?.filter(isAudioFormat) ?? given
  const formats = sold.filter((each) => given.includes(each))
  // MP3 for whoever asks for nothing, as long as it can be had.
  const format = asked ?? (formats.includes('mp3') ? 'mp3' : (formats[0] ?? 'mp3'))
  if (!formats.includes(format)) throw unsupportedValue('response_format', formats.join(' | '))
  return {
    input,
    voice: typeof voice === 'string' ? voiceOf(voice, model) : voice.id,
    format,
    speed: speed ?? 1,
    instructions: instructions === undefined || instructions === '' ? null : instructions,
    streams: model.capabilities.streaming === true,
    body,
  }
}

/** In the catalogue's spelling. @throws invalid_field */
function voiceOf(voice: string, { capabilities, traits }: Offer['model']): string {
  const { voices } = capabilities
  if (voices === undefined) return voice
  const known = voices.find((each) => each.toLowerCase() === voice.toLowerCase())
  if (known === undefined && traits.voiceIds !== true) throw invalid('voice', voices.join(' | '))
  return known ?? voice
}

async function failureInside(reply: Reply, { vendor }: Target, { model }: Offer): Promise<Error> {
  const said: unknown = JSON.parse(await replyText(reply, maxAnswerBytes('failure')))
  return vendor.embeddedFailure(fieldsOf(said), model.id) ?? new Error('reply without audio')
}

/** Text tokens that a voice says in a second: in any script they take about as long. */
const tokensPerSecond = 3.3
/** Voices differ, and stop to breathe. */
const slowestFactor = 1.6
const maxPauseSeconds = 3

interface SpeechEstimate {
  /** Text tokens of the input. */
  readonly input: number
  readonly likelySeconds: number
  readonly maxSeconds: number
}

/** Tokens and seconds that speaking a text takes. @param speed of the voice; one is its own */
function estimateSpeech({
  input,
  instructions,
  speed,
}: {
  readonly input: string
  readonly instructions: string | null
  readonly speed: number
}): SpeechEstimate {
  const tokens = estimateTokens(input)
  const likelySeconds = tokens / tokensPerSecond / speed
  return {
    input: Math.ceil(tokens + estimateTokens(instructions ?? '')),
    likelySeconds,
    maxSeconds: likelySeconds * slowestFactor + maxPauseSeconds,
  }
}
