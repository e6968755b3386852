import { deflate } from 'node:zlib'
import { promisify } from 'node:util'
import type { Fields } from '../../json/fields'
import { RefusedRequest } from './faults'
import { inSlices, type Steps } from './slices'

const defaultSide = 256
const maxSide = 2048
const maxPictures = 10
/** As of the reference's newest models: https://platform.openai.com/docs/api-reference/images, 2026-11-22. */
const maxPromptChars = 32_000

/** Compresses in another thread. */
const deflated = promisify(deflate)

/** Drawing to make. */
interface Drawing {
  readonly words: string
  readonly width: number
  readonly height: number
}

/** @throws RefusedRequest for a prompt that is too long */
function drawingOf({ prompt, size }: Fields): Drawing {
  const words = String(prompt)
  if (words.length > maxPromptChars)
    throw new RefusedRequest(`A prompt has at most ${maxPromptChars} characters.`, 'prompt')
  const [, wide, high] = /^(\d+)x(\d+)$/.exec(String(size)) ?? []
  const width = Math.min(Number(wide ?? defaultSide), maxSide)
  const height = Math.min(Number(high ?? defaultSide), maxSide)
  return { words, width, height }
}

/**
 * Real pictures of two colours drawn from the prompt: the same ones for the same words.
 * @throws RefusedRequest for a prompt that is too long | DOMException AbortError
 */
export async function imagesReply(body: Fields, signal: AbortSignal): Promise<string> {
  const drawing = drawingOf(body)
  const { n } = body
  const count = typeof n === 'number' ? Math.min(n, maxPictures) : 1
  const data: Fields[] = []
  while (data.length < count)
    data.push({ b64_json: await drawn(drawing, { at: data.length, share: 1 }, signal) })
  return JSON.stringify({ created: 0, data })
}

/**
 * The first of these pictures as it is drawn, from above: partial ones as many as are asked for, then
 * the whole.
 * @throws RefusedRequest for a prompt that is too long
 */
export function imagesStream(body: Fields, signal: AbortSignal): ReadableStream<Uint8Array> {
  const drawing = drawingOf(body)
  const { partial_images: asked, quality, background } = body
  const partials = typeof asked === 'number' ? Math.min(asked, maxPartials) : 0
  const look = {
    created_at: 0,
    size: `${drawing.width}x${drawing.height}`,
    quality: quality ?? 'auto',
    background: background ?? 'auto',
    output_format: 'png',
  }
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      const whole = sent === partials
      const share = (sent + 1) / (partials + 1)
      const picture = { b64_json: await drawn(drawing, { at: 0, share }, signal), ...look }
      const type = `image_generation.${whole ? 'completed' : 'partial_image'}`
      const event = whole ? { type, ...picture } : { type, ...picture, partial_image_index: sent }
      controller.enqueue(encoder.encode(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`))
      sent++
      if (whole) controller.close()
    },
  })
}

const maxPartials = 3
const encoder = new TextEncoder()

/** @param share of its height that is drawn, the rest is black @returns the file as base64 */
async function drawn(
  { words, width, height }: Drawing,
  { at, share }: { readonly at: number; readonly share: number },
  signal: AbortSignal,
): Promise<string> {
  const shown = Math.ceil(height * share)
  const rows = await inSlices(rowsOf(`${words} ${at}`, { width, height, shown }), signal)
  return png(width, height, await deflated(rows)).toString('base64')
}

/** Rows between two looks at the clock. */
const stepRows = 64

interface Canvas {
  readonly width: number
  readonly height: number
  /** Rows that are drawn. */
  readonly shown: number
}

/** Eight bits for each of red, green and blue; each row behind its filter byte. */
function* rowsOf(text: string, { width, height, shown }: Canvas): Steps<Buffer> {
  const line = diagonal(text, width + height)
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < shown; y++) {
    rows.set(line.subarray(y * 3, (y + width) * 3), y * (1 + width * 3) + 1)
    if (y % stepRows === 0) yield
  }
  return rows
}

/** The colours from one corner to the other: each row is a part of them, a place further on. */
function diagonal(text: string, places: number): Buffer {
  const drawn = Bun.hash(text)
  const channel = (place: bigint) => Number((drawn >> (place * 8n)) & 0xffn)
  const from = [channel(0n), channel(1n), channel(2n)]
  const to = [channel(3n), channel(4n), channel(5n)]
  const line = Buffer.alloc(places * 3)
  for (let at = 0; at < places; at++)
    for (let each = 0; each < 3; each++) {
      const [low = 0, high = 0] = [from[each], to[each]]
      line[at * 3 + each] = Math.round(low + (high - low) * (at / places))
    }
  return line
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** @param pixels compressed */
function png(width: number, height: number, pixels: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.writeUInt8(8, 8)
  head.writeUInt8(2, 9)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(Bun.hash.crc32(body), body.length + 4)
  return out
}
