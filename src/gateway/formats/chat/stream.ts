import type { Units, Usage } from '../../../domain/usage'
import { grownUsage, plausibleUsage, takesBack, reportsBoth, withMedia } from '../plausible-usage'
import { outputAudioTokens, usualRates } from '../realtime/audio-tokens'
import type { RenderedEnd } from '../hub'
import type { TextStream } from '../hub-stream'
import { openChoices, type Choices } from './choices'
import { openCitations } from './citations'
import { drawnPictures } from './drawn-pictures'
import { openSentText, progressWith, type Progress, type SentText } from './output-counter'
import { pieceForm, type PieceForm } from './text-splice'
import { chatObject, closingEvents, eventOf } from './events'
import { usageOfChunk } from './usage'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import {
  isAnswer,
  isCutShort,
  saysAnything,
  vendorMembers,
  type ReplyIdentity,
  type ThoughtMember,
} from './wire'

interface ChatStreamParts {
  readonly identity: ReplyIdentity
  /** Puts a vendor's oddities into the reference shape, in place. */
  normalise(chunk: Fields): void
  /** Asked of events without a piece of an answer. @throws the vendor's failure, when it is one */
  refuseFailure(chunk: Fields): void
  /** Tokens of a text, for vendors that do not tell. */
  countTokens(text: string): number
  /** Told of each delta on its way to the client, but for those that only hold text. */
  observe?(choice: number, delta: Fields, thoughtIn: ThoughtMember): void
  /** Told of those: texts of the one choice that there is. */
  observeText?(text: string): void
  /** The request, which says how many choices there will be; one by default. */
  readonly raw?: { readonly n?: number | null | undefined }
}

/**
 * A vendor's chat stream on its way to a client: one role and one finish per choice, complete tool
 * calls, one id and model, one usage event. Events that differ from the last one in their text only
 * are spliced, not parsed.
 * @see openai/openai-openapi `CreateChatCompletionStreamResponse`, 2.3.0 of 2026-08-21
 */
export const openChatStream = (parts: ChatStreamParts): TextStream => new ChatStream(parts)

/** State of one stream. Functions that callers pass on are properties, steps are methods. */
class ChatStream implements TextStream {
  readonly progress: Progress
  readonly #parts: ChatStreamParts
  readonly #text: SentText
  readonly #choices: Choices
  readonly #citations = openCitations()
  #template: Template | null = null
  #templatesLeft = maxTemplates
  #soundChars = 0
  #pictures = 0
  #reported: Usage | null = null
  #started = false
  #wrote = false
  #finished = false
  #takenBack = false
  #done = false
  #closedCleanly = false

  constructor(parts: ChatStreamParts) {
    this.#parts = parts
    this.#text = openSentText(parts.countTokens)
    this.#choices = openChoices(parts.identity.id, {
      text: this.#text.add,
      sound: (data) => void (this.#soundChars += data.length),
      pictures: (count) => void (this.#pictures += count),
    })
    this.progress = progressWith(
      this.#text,
      () => ({ sound: this.#soundChars, pictures: this.#pictures, reported: this.#reported }),
      ({ sound, pictures, reported }) => {
        this.#soundChars = sound
        this.#pictures = pictures
        this.#reported = reported
      },
    )
  }

  readonly event = (data: string): string => {
    if (this.#done) return ''
    if (data.startsWith('[DONE]')) {
      this.#choices.over()
      this.#done = true
      return ''
    }
    if (data === '') return ''
    const template = this.#template
    if (template !== null) {
      const content = template.match(data)
      if (content !== null) {
        this.#text.add(content.text)
        this.#parts.observeText?.(content.text)
        return template.before + content.raw + template.after
      }
    }
    const out = this.#parsed(data)
    this.#learnFrom(data, out)
    return out
  }

  readonly ended = (): string => {
    this.#closedCleanly = true
    return ''
  }

  readonly complete = (): boolean =>
    this.#done || (this.#closedCleanly && this.#choices.allFinished())

  readonly finished = (): boolean => this.#finished

  readonly started = (): boolean => this.#started

  readonly thinks = (): boolean => (this.#reported?.reasoning ?? 0) > 0

  readonly wrote = (): boolean => this.#wrote

  readonly sent = (): boolean => this.#text.any() || this.#soundChars > 0 || this.#pictures > 0

  readonly reportedUsage = (): Usage | null => {
    const over = this.complete() && !this.#takenBack
    const usage = plausibleUsage(this.#reported, { counted: this.#text.tokens(), over })
    return usage === null || this.#soundChars + this.#pictures === 0
      ? usage
      : withMedia(usage, this.#reported, this.countedMedia())
  }

  /** Whether the reported usage may be the last: some vendors count one side at a time, or far too little first. */
  #isWhole(): boolean {
    const given = { counted: this.#text.tokens(), over: false }
    return reportsBoth(this.#reported) && plausibleUsage(this.#reported, given) === this.#reported
  }

  readonly countedTokens = (): number => this.#text.tokens()

  readonly countedMedia = (): Units => {
    const sound = outputAudioTokens(this.#soundChars, usualRates)
    const drawn = drawnPictures(this.#pictures)
    return sound === 0 ? drawn : { output_audio: sound, ...drawn }
  }

  readonly close = (end: RenderedEnd): string => {
    const missing: readonly Fields[] =
      end.error === null
        ? this.#choices.finish().map((choice) => this.#cited(choice) ?? choice)
        : this.#unended()
    const { identity } = this.#parts
    return (
      missing.map((choice) => render(identity, {}, [choice])).join('') +
      closingEvents(identity, end)
    )
  }

  /** The long way: parse, put in order, render. */
  #parsed(data: string): string {
    const chunk: unknown = JSON.parse(data)
    if (!isFields(chunk)) throw new Error('event is not a JSON object')
    if (!isAnswer(chunk)) this.#parts.refuseFailure(chunk)
    this.#parts.normalise(chunk)
    const usage = usageOfChunk(chunk)
    const choices = listOf(chunk['choices'])
    if (usage !== null) {
      this.#takenBack ||= takesBack(this.#reported, usage)
      this.#reported = grownUsage(this.#reported, usage)
      // Usage on its own that counts both sides is the last thing that a vendor says.
      if (this.#finished && choices.length === 0 && this.#isWhole()) this.#done = true
    }
    const out: Fields[] = []
    for (const choice of this.#choices.pass(choices)) {
      this.#started ||= isOutput(choice)
      this.#wrote ||= hasContent(choice)
      if (choice['finish_reason'] !== null)
        this.#finished = this.#choices.haveFinished(this.#parts.raw?.n ?? 1)
      const shown = this.#cited(choice)
      if (shown !== null) out.push(shown)
    }
    if (this.#parts.observe !== undefined)
      for (const { index, delta } of out)
        this.#parts.observe(Number(index), fieldsOf(delta), this.#choices.thoughtIn())
    return out.length === 0 ? '' : render(this.#parts.identity, chunk, out)
  }

  /** @param out what the client gets for the event */
  #learnFrom(data: string, out: string): void {
    // What is said after the end of its choice is not passed.
    if (!this.#choices.plain()) this.#template = null
    else if (this.#templatesLeft > 0 && out !== '' && data.length <= maxTemplateChars) {
      const learnt = learn(data, this.#parts.identity)
      if (learnt === null) return
      this.#template = learnt
      this.#templatesLeft--
    }
  }

  /** Citations wait for the end of their choice. @returns null when nothing else is said */
  #cited(choice: Fields): Fields | null {
    const asSent = fieldsOf(choice['delta'])
    const ends = choice['finish_reason'] !== null
    if (!ends && asSent['annotations'] === undefined) return choice
    const index = Number(choice['index'])
    const { annotations, ...delta } = asSent
    this.#citations.add(index, annotations)
    if (!ends)
      return Object.keys(delta).length > 0 || choice['logprobs'] !== undefined
        ? { ...choice, delta }
        : null
    const all = this.#citations.take(index)
    return { ...choice, delta: all.length > 0 ? { ...delta, annotations: all } : delta }
  }

  /** Citations of what was said before the stream broke. */
  #unended(): readonly Fields[] {
    return this.#citations
      .rest()
      .map(([index, annotations]) => ({ index, delta: { annotations }, finish_reason: null }))
  }
}

/** Whether a choice says more than that an answer comes, or that it is over. */
const isOutput = ({ delta, finish_reason: finish }: Fields): boolean =>
  isCutShort(finish) || saysAnything(delta)

const hasContent = ({ delta }: Fields): boolean => Boolean(fieldsOf(delta)['content'])

const ownMembers = new Set(
  vendorMembers.concat('id', 'object', 'created', 'model', 'choices', 'usage', 'cost'),
)

/** A vendor's event with these choices and our members. */
function render(
  { id, created, model }: ReplyIdentity,
  chunk: Fields,
  choices: readonly Fields[],
): string {
  const rest: Fields = {}
  for (const name in chunk)
    if (!ownMembers.has(name) && chunk[name] !== null) rest[name] = chunk[name]
  return eventOf({ id, object: chatObject, created, model, ...rest, choices })
}

/** A vendor that writes each event differently is parsed; learning again and again would only cost. */
const maxTemplates = 8
/** An event with a picture in it is like no other: to learn it is to parse and render it twice. */
const maxTemplateChars = 65_536

/** Two events alike but for their text, and what the client gets around that text. */
interface Template {
  readonly before: string
  readonly after: string
  readonly match: PieceForm['match']
}

/**
 * Learns the form of an event whose one delta is content: rendering it with a stand-in text the
 * long way shows what stands around the text.
 */
function learn(data: string, identity: ReplyIdentity): Template | null {
  const form = pieceForm(data)
  if (form === null) return null
  const { prefix, suffix, match } = form
  const standIn = `text of ${identity.id}`
  let chunk: unknown
  try {
    chunk = JSON.parse(prefix + standIn + suffix)
  } catch {
    return null
  }
  if (!isFields(chunk) || chunk['error'] || chunk['usage'] || chunk['x_groq']) return null
  const [choice, ...more] = listOf(chunk['choices'])
  if (!isFields(choice) || more.length > 0 || (choice['index'] ?? 0) !== 0) return null
  if (choice['finish_reason'] || choice['usage'] || !isPlainContent(choice['delta'], standIn))
    return null
  const { logprobs } = choice
  if (logprobs !== undefined && logprobs !== null) return null
  const choices = [{ index: 0, delta: { content: standIn }, finish_reason: null }]
  const out = render(identity, chunk, choices)
  const [before, after, ...rest] = out.split(standIn)
  if (before === undefined || after === undefined || rest.length > 0) return null
  return { before, after, match }
}

/** Content and nothing else; a role or nulls beside it say nothing new. */
export const isPlainContent = (delta: unknown, content: string): boolean =>
  isFields(delta) &&
  delta['content'] === content &&
  Object.entries(delta).every(
    ([name, value]) =>
      name === 'content' || name === 'role' || value === null || value === undefined,
  )
