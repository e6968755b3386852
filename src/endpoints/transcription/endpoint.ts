import { renderTranscript, type TranscriptForm } from '../../formats/transcripts/render'
import { maxAnswerBytes } from '../../domain/answer-ceilings'
import { endpoints } from '../../catalogue/endpoints'
import { unsupported } from '../../formats/schema-fault'
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
import type { Spool } from '../../http/spool'
import type { Reply } from '../../outbound/http1/reply'
import type { AudioQuestion } from '../../vendors/audio-question'
import type { TranscribeAbility } from '../../vendors/vendor'
import { audioFileOf, type AudioFile } from './audio-file'
import { audioUsage, estimateAudio, sellsSpeakers, type Heard } from './usage'
import { ClientLeft } from '../../outbound/client-left'
import type { Answer, AskParts, CallBody, Endpoint } from '../../call/endpoint'
import { refusePrivateUrls } from '../fetched-urls'
import { notSupported } from '../not-supported'
import { readTextStream, wholeAsStream } from '../text/text-stream'
import { uploadBody } from './upload-body'
import { isEventStream, replyText } from '../whole-reply'

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
      const tellsSpeakers = body.format === 'diarized_json'
      const { seconds } = about
      const heard = { bytes: content.size, seconds, maxSeconds, isCounted, prompt, tellsSpeakers }
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
  readonly asked: AskParts
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
