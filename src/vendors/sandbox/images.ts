import { deflateSync } from 'node:zlib'
import type { Fields } from '../../formats/chat/wire'

const defaultSide = 256
const mostSide = 2048

/** Real pictures of two colours drawn from the prompt: the same ones for the same words. */
export function imagesReply({ prompt, size, n }: Fields): string {
  const [, wide, high] = /^(\d+)x(\d+)$/.exec(String(size)) ?? []
  const width = Math.min(Number(wide ?? defaultSide), mostSide)
  const height = Math.min(Number(high ?? defaultSide), mostSide)
  const count = typeof n === 'number' ? n : 1
  return JSON.stringify({
    created: 0,
    data: Array.from({ length: count }, (_, at) => ({
      b64_json: pictureOf(`${String(prompt)} ${at}`, width, height).toString('base64'),
    })),
  })
}

function pictureOf(text: string, width: number, height: number): Buffer {
  const drawn = Bun.hash(text)
  const channel = (place: bigint) => Number((drawn >> (place * 8n)) & 0xffn)
  const from = [channel(0n), channel(1n), channel(2n)]
  const to = [channel(3n), channel(4n), channel(5n)]
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    const start = y * (1 + width * 3) + 1
    for (let x = 0; x < width; x++)
      for (let each = 0; each < 3; each++) {
        const [low = 0, high = 0] = [from[each], to[each]]
        const share = (x + y) / (width + height)
        rows[start + x * 3 + each] = Math.round(low + (high - low) * share)
      }
  }
  return png(width, height, rows)
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** @param rows eight bits for each of red, green and blue; each row behind its filter byte */
function png(width: number, height: number, rows: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.writeUInt8(8, 8)
  head.writeUInt8(2, 9)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
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
