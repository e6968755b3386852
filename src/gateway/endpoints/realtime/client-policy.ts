import { GatewayError, isGatewayError } from '../../../errors/gateway-error'
import type { Frame } from '../../net/socket'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { appendedAudio } from '../../formats/realtime/audio-append'
import { hasTwins } from '../../json/duplicate-members'
import { isParseable } from '../../json/parse-cost'
import { refusePrivateUrls } from '../fetched-urls'

/** Form of a client's event that goes to the vendor, and the sound and text in it. */
export interface Passing {
  readonly frame: string
  readonly sound: number
  readonly text: number
}

/** An event that does not go to the vendor; the conversation goes on. */
export class RefusedEvent extends Error {
  constructor(
    readonly error: GatewayError,
    /** The client's own id of it. */
    readonly eventId: string | null,
  ) {
    super('an event was refused', { cause: error })
    this.name = 'RefusedEvent'
  }
}

export interface PolicyParts {
  /** @throws when the key or what stands behind it may not call any more, which ends the conversation */
  checkCaller(): void
  /** @throws when the service or the model may not be used any more, which ends it between two answers */
  checkService(): void
  /** Each `response.create` is a request. @throws rate_limit_exceeded */
  takeRequest(): Promise<void>
  /** @returns what the vendor calls this model for transcriptions @throws GatewayError why it cannot be had */
  transcribeBy(model: string): Promise<string>
}

/** Longer events may hold pictures, which are no text: their letters are counted one by one. */
const maxTextLength = 65_536
/** Names of members that hold data. */
const noText: ReadonlySet<string> = new Set(['audio', 'image_url', 'file_data'])

/** Sound passes unparsed, and needs no look; null for everything else. */
export function passSound(frame: Frame): Passing | null {
  const sound = typeof frame === 'string' ? appendedAudio(frame) : null
  return typeof frame !== 'string' || sound === null ? null : { frame, sound, text: 0 }
}

/**
 * Looks at one event of a client: what buys or names something is checked, and what is not the
 * client's to decide is taken out. Everything else passes as it came.
 * @throws RefusedEvent | what `checkCaller` throws
 */
export async function passEvent(frame: Frame, parts: PolicyParts): Promise<Passing> {
  if (typeof frame !== 'string') throw new RefusedEvent(new GatewayError('invalid_json', {}), null)
  const passing = passSound(frame)
  if (passing !== null) return passing
  parts.checkCaller()
  const event = parsedEvent(frame)
  const eventId = typeof event['event_id'] === 'string' ? event['event_id'] : null
  try {
    const edited = await edit(event, parts)
    const audio = event['type'] === 'input_audio_buffer.append' ? event['audio'] : null
    return {
      frame: edited === null ? frame : JSON.stringify(edited),
      sound: typeof audio === 'string' ? audio.length : 0,
      text: textIn(event, frame.length),
    }
  } catch (thrown) {
    throw isGatewayError(thrown) ? new RefusedEvent(thrown, eventId) : thrown
  }
}

function textIn(event: Fields, length: number): number {
  if (length > maxTextLength) return lettersIn(event)
  return event['type'] === 'conversation.item.create' ? length : 0
}

function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + lettersIn(each), 0)
  if (!isFields(value)) return 0
  return Object.entries(value).reduce(
    (sum, [name, each]) => (noText.has(name) ? sum : sum + lettersIn(each)),
    0,
  )
}

function parsedEvent(frame: string): Fields {
  if (isParseable(frame))
    try {
      const event: unknown = JSON.parse(frame)
      if (isFields(event) && typeof event['type'] === 'string' && !hasTwins(frame, event))
        return event
    } catch {
      // Told below.
    }
  throw new RefusedEvent(new GatewayError('invalid_json', {}), null)
}

/** @returns the event as it may pass; null when that is as it came */
async function edit(event: Fields, parts: PolicyParts): Promise<Fields | null> {
  refusePrivateUrls(event)
  switch (event['type']) {
    case 'session.update': {
      const session = await editSession(fieldsOf(event['session']), parts)
      return session === null ? null : { ...event, session }
    }
    case 'response.create': {
      parts.checkService()
      await parts.takeRequest()
      const response = without(fieldsOf(event['response']), ['prompt'])
      return response === null ? null : { ...event, response }
    }
    // Of the form before the release, which would go round what is checked above.
    case 'transcription_session.update':
      throw refusedField('type', 'session.update')
    default:
      return null
  }
}

/** Never the client's: another model than was asked for, and what belongs to the vendor's account. */
const notTheirs = ['model', 'tracing', 'prompt']

async function editSession(session: Fields, parts: PolicyParts): Promise<Fields | null> {
  const stripped = without(session, notTheirs)
  const now = stripped ?? session
  const audio = fieldsOf(now['audio'])
  const input = fieldsOf(audio['input'])
  const released = await transcription(input['transcription'], parts)
  const earlier = await transcription(now['input_audio_transcription'], parts)
  if (released === null && earlier === null) return stripped
  const edited = { ...now }
  if (released !== null)
    edited['audio'] = { ...audio, input: { ...input, transcription: released } }
  if (earlier !== null) edited['input_audio_transcription'] = earlier
  return edited
}

/** @returns the choice under the vendor's name; null when it stays as it is */
async function transcription(
  chosen: unknown,
  { transcribeBy }: PolicyParts,
): Promise<Fields | null> {
  if (!isFields(chosen)) return null
  const { model } = chosen
  if (typeof model !== 'string' || model === '')
    throw refusedField('session.audio.input.transcription.model', 'a non-empty string')
  const named = await transcribeBy(model)
  return named === model ? null : { ...chosen, model: named }
}

const refusedField = (field: string, expected: string) =>
  new GatewayError('invalid_field', { field, expected }, { param: field })

/** @returns null when nothing had to be taken out */
function without(fields: Fields, names: readonly string[]): Fields | null {
  const tools = listOf(fields['tools'])
  // What the vendor would run by itself has no price and runs without the client.
  const own = tools.filter((tool) => fieldsOf(tool)['type'] === 'function')
  const named = names.filter((name) => fields[name] !== undefined)
  if (named.length === 0 && own.length === tools.length) return null
  const left = Object.entries(fields).filter(([name]) => !named.includes(name))
  return { ...Object.fromEntries(left), ...(tools.length > 0 ? { tools: own } : {}) }
}
