import { renderTranscript, type TranscriptForm } from '../../formats/transcripts/render'
import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import { endpoints } from '../../catalogue/endpoints'
import { unsupported, invalid } from '../../formats/schema-fault'
import {
  checkAudioBody,
  demandedExtra,
  type AudioBody,
  type AudioTask,
} from '../../formats/transcripts/schema'
import {
  openTranscriptStream,
  passWhole,
  readReferenceStream,
} from '../../formats/transcripts/stream'
import { lastSecond, type AudioUsage, type Transcript } from '../../formats/transcripts/transcript'
import type { FormFile } from '../../http/form'
import { readForm } from '../../http/form-body'
import type { Spool, SpooledFile } from '../../http/spool'
import type { Reply } from '../../outbound/http1/reply'
import type { AudioQuestion } from '../../vendors/audio-input'
import type { TranscribeAbility } from '../../vendors/vendor'
import { audioUsage, estimateAudio, sellsSpeakers, type Heard } from './usage'
import { ClientLeft } from '../../outbound/client-left'
import type { Answer, RequestParts, CallBody, Endpoint } from '../../call/endpoint'
import { refusePrivateUrls } from '../fetched-urls'
import { notSupported } from '../not-supported'
import { readTextStream, wholeAsStream } from '../text/text-stream'
import { uploadBody } from './upload-body'
import { isEventStream, replyText } from '../whole-reply'
import { GatewayError } from '../../../errors/gateway-error'
import type { Container } from '../../media/container'
import { readRecording } from '../../media/recording'

/** A checked form with its recording. */
interface AudioCall extends CallBody {
  readonly model: string
  readonly body: AudioBody
  readonly file: AudioFile
  readonly heard: Heard
}

/** One call's own: it holds the recording until it is closed. */
interface AudioEndpoint extends Endpoint<AudioCall> {
  close(): void
}

const maxAudioBytes = 25 * 1024 * 1024
/** Usual body limit: an account with a lower one has it for recordings too. */
const usualBodyBytes = 20 * 1024 * 1024
const names = { transcribe: 'transcriptions', translate: 'translations' } as const

export function openAudioEndpoint(task: AudioTask, spool: Spool): AudioEndpoint {
  let held: FormFile | null = null
  return {
    name: names[task],
    models: 'audio_stt',
    async read({ request, signal }, maxBytes) {
      const maxFileBytes = maxBytes < usualBodyBytes ? maxBytes : maxAudioBytes
      const rules = { fileField: 'file', maxFileBytes, spool }
      const form = await readForm(request, rules).catch((thrown: unknown) => {
        throw signal.aborted ? new ClientLeft() : thrown
      })
      held = form.file
      const body = checkAudioBody(form.fields, task)
      for (const [name, text] of body.extras) refusePrivateUrls({ [name]: text })
      const file = await audioFileOf(form.file)
      const { about, maxSeconds, isCounted, content } = file
      const { prompt } = body
      const reportsSpeakers = body.format === 'diarized_json'
      const { seconds } = about
      const heard = {
        bytes: content.size,
        seconds,
        maxSeconds,
        isCounted,
        prompt,
        tellsSpeakers: reportsSpeakers,
      }
      return { model: body.model, stream: body.stream, body, file, heard }
    },
    estimate: ({ heard }, offer) => estimateAudio(heard, offer),
    async ask(call, target, asked) {
      const { offer, inbound } = asked
      const ability = target.vendor.abilities.transcribe
      const { capabilities, id } = offer.model
      const isAble =
        task === 'transcribe' ||
        (ability?.translates === true && capabilities.translation !== false)
      if (ability === undefined || !isAble) throw notSupported(names[task], offer)
      const extra = ability.takesExtras === true ? null : demandedExtra(call.body)
      if (extra !== null) throw unsupported(id, endpoints[names[task]].path, extra)
      if (ability.billsSpeakers === true && !sellsSpeakers(call.heard, offer))
        throw unsupported(id, endpoints[names[task]].path, 'response_format')
      const question: AudioQuestion = {
        task,
        model: id,
        traits: target.traits,
        body: call.body,
        file: call.file.about,
        formats: capabilities.formats,
        boundary: `chapar-${inbound.requestId}`,
      }
      const { path, contentType, body: pieces } = ability.request(question, target)
      return {
        request: {
          method: 'POST',
          path,
          contentType,
          body: uploadBody(pieces, call.file.content),
        },
        answer: (reply) => readAnswer(reply, { ability, question, call, asked }),
      }
    },
    close: () => held?.content.close(),
  }
}

interface Answering {
  readonly ability: TranscribeAbility
  readonly question: AudioQuestion
  readonly call: AudioCall
  readonly asked: RequestParts
}

async function readAnswer(reply: Reply, answering: Answering): Promise<Answer> {
  const { ability, question, call, asked } = answering
  const stream = { call: asked, promptTokens: 0 }
  const reader = ability.openStream?.(question)
  if (call.stream && reader !== undefined && isEventStream(reply)) {
    const transcript = openTranscriptStream({
      wanted: wantedOf(answering, null),
      reader,
      usageOf: (reported, text) =>
        usageOf(answering, reported, { text, reached: 0, seconds: null }),
    })
    return await readTextStream(reply.source, transcript, stream)
  }
  const transcript = ability.readReply(
    await replyText(reply, maxAnswerBytes(names[question.task])),
    question,
  )
  const wanted = wantedOf(answering, transcript)
  const { text, seconds, usage: reported } = transcript
  const usage = usageOf(answering, reported, { text, reached: lastSecond(transcript), seconds })
  if (!call.stream) {
    const { contentType, body } = renderTranscript(transcript, wanted)
    return { kind: 'whole', contentType, body, usage: () => usage }
  }
  const whole = readReferenceStream(() => {})
  const events = openTranscriptStream({
    wanted,
    reader: { event: (data) => ({ ...whole.event(data), usage: reported }), ended: whole.ended },
    usageOf: () => usage,
  })
  return wholeAsStream(passWhole(events, transcript, wanted), events, stream)
}

const usageOf = (
  { call, asked }: Answering,
  reported: AudioUsage | null,
  found: { text: string; reached: number; seconds: number | null },
) => audioUsage(reported, call.heard, asked.offer, found)

function wantedOf({ question, call }: Answering, transcript: Transcript | null): TranscriptForm {
  const { task, body } = question
  const reported = transcript === null ? null : (transcript.seconds ?? lastSecond(transcript))
  return { task, body, seconds: call.heard.seconds ?? reported ?? 0 }
}

/** A recording that was sent, as vendors are told of it. */
interface AudioFile {
  readonly content: SpooledFile
  readonly about: AudioQuestion['file']
  /** Upper bound of its length, by its bytes where nothing else tells; null where nothing does. */
  readonly maxSeconds: number | null
  /** How long it lasts was counted in its sound; otherwise its head only says so. */
  readonly isCounted: boolean
}

/** Containers whose samples are counted, as a decoder would. */
const counted: ReadonlySet<Container | null> = new Set(['wav', 'mp3'])

/** File extensions that vendors know, their containers, and the reference's names. */
const endings: Readonly<Record<string, { readonly container: Container; readonly type: string }>> =
  {
    mp3: { container: 'mp3', type: 'audio/mpeg' },
    mpga: { container: 'mp3', type: 'audio/mpeg' },
    mpeg: { container: 'mp3', type: 'audio/mpeg' },
    m4a: { container: 'mp4', type: 'audio/mp4' },
    mp4: { container: 'mp4', type: 'audio/mp4' },
    wav: { container: 'wav', type: 'audio/wav' },
    webm: { container: 'webm', type: 'audio/webm' },
    ogg: { container: 'ogg', type: 'audio/ogg' },
    oga: { container: 'ogg', type: 'audio/ogg' },
    flac: { container: 'flac', type: 'audio/flac' },
  }

/** Extension of a file with a wrong name or none. */
const usual: Readonly<Record<Container, string>> = {
  mp3: 'mp3',
  mp4: 'm4a',
  wav: 'wav',
  webm: 'webm',
  ogg: 'ogg',
  flac: 'flac',
}

/**
 * A file by what it holds: clients name recordings as they like, and a name may tell who is heard.
 * @throws missing_file | invalid_field when neither its bytes nor its name tell what it is
 */
async function audioFileOf(file: FormFile | null): Promise<AudioFile> {
  if (file === null || file.content.size === 0)
    throw new GatewayError('missing_file', {}, { param: 'file' })
  const { content, filename } = file
  const { container, seconds, maxSeconds } = await readRecording(content)
  const named = /\.([a-z\d]+)$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? ''
  const isNamedRight =
    endings[named] !== undefined && (container === null || endings[named].container === container)
  const ending = isNamedRight ? named : container === null ? null : usual[container]
  const known = ending === null ? undefined : endings[ending]
  if (known === undefined) throw invalid('file', 'mp3 | mp4 | m4a | wav | webm | ogg | flac')
  const about = { filename: `audio.${ending}`, contentType: known.type, seconds }
  return { content, about, maxSeconds, isCounted: counted.has(container) }
}
