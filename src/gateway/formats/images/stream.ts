import type { Usage } from '../../../domain/usage'
import { fieldsOf, isFields, type Fields } from '../../json/fields'
import type { TextStream } from '../hub-stream'
import { editMembers } from '../../json/edit-members'
import { imagesUsage, readImagesUsage, type ImagesReply } from './reply'

/*
 * The events of a picture in the making.
 * @see https://platform.openai.com/docs/api-reference/images-streaming, November 2026
 */
const partialType = 'image_generation.partial_image'
const completedType = 'image_generation.completed'

interface PictureStreamParts {
  /** @throws GatewayError the failure that an event is */
  refuse(event: Fields): void
  /** Usage so far. @param last null as long as the last picture has not come */
  usageOf(partials: number, last: Pick<ImagesReply, 'usage'> | null): Usage
}

/** One picture in the reference's events. The last one waits for its cost, which stands in it. */
export function openPictureStream({ refuse, usageOf }: PictureStreamParts): TextStream {
  let partials = 0
  let last: {
    readonly text: string
    readonly usage: Usage | null
    readonly isTold: boolean
  } | null = null

  return {
    event(data) {
      if (last !== null || data.trim() === '' || data.trim() === '[DONE]') return ''
      const event: unknown = JSON.parse(data)
      if (!isFields(event)) throw new Error('event is not a JSON object')
      const { type, b64_json: picture } = event
      if (type !== partialType && type !== completedType) {
        refuse(event)
        return ''
      }
      if (typeof picture !== 'string') throw new Error('event without image')
      if (type === completedType) {
        const isTold = isFields(event['usage'])
        last = { text: data, usage: readImagesUsage(event['usage']), isTold }
        return ''
      }
      partials++
      return eventOf(partialType, editMembers(data, { set: {}, drop: notForClients }))
    },
    ended: () => '',
    complete: () => last !== null,
    sent: () => partials > 0,
    reportedUsage: () => usageOf(partials, last),
    countedTokens: () => 0,
    close({ error, usage, costUsd }) {
      if (error !== null) return `data: ${JSON.stringify(fieldsOf(error))}\n\n`
      if (last === null) return ''
      // What was told is shown as long as it is what is charged.
      const charged = usage.estimated && last.isTold ? { usage: imagesUsage(usage) } : {}
      const set = { ...charged, cost_usd: costUsd }
      return eventOf(completedType, editMembers(last.text, { set, drop: notForClients }))
    },
  }
}

/** The vendor's name of a model, and letters that only make an event longer. */
const notForClients = ['model', 'id', 'obfuscation']

const eventOf = (type: string, json: string): string => `event: ${type}\ndata: ${json}\n\n`

/** Look of a whole picture: format, quality, size. */
interface PictureLook {
  /** Unix seconds. */
  readonly created: number
  readonly size: string
  readonly quality: string
  readonly background: string
  readonly format: string
}

/** The data of the event that a picture which came whole is. @param usage as its vendor told it */
export const wholePictureEvent = (picture: string, look: PictureLook, usage: unknown): string =>
  JSON.stringify({
    type: completedType,
    b64_json: picture,
    created_at: look.created,
    size: look.size,
    quality: look.quality,
    background: look.background,
    output_format: look.format,
    ...(isFields(usage) ? { usage } : {}),
  })
