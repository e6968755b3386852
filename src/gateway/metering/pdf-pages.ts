import { inflate, constants } from 'node:zlib'
import { yieldToLoop } from '../../domain/yield-to-loop'

/** Characters looked at between two turns of the event loop. */
const windowChars = 262_144
/** Inflated of one object stream, and of all: more than any honest file of this size has. */
const maxInflatedBytes = 16_777_216
const maxInflatedInAll = 67_108_864
/** Cost of a stream besides its bytes, and of each packed byte of a broken one. */
const streamCost = 2048
const brokenFactor = 64
/** Of a file that is too dense to be read: as many as any vendor takes (Gemini: 1,000). */
const unreadPages = 1000
/** How far from its name the stream of an object may begin. */
const maxDictionaryBytes = 2048
const maxDepth = 100
/** A file begins within so many bytes (ISO 32000-1, annex H.3.4.1). */
const maxBytesBeforeHead = 1024

/** Counts of the page tree so far. */
interface Found {
  /** Objects that are pages. */
  pages: number
  /** The largest number that a node of the tree tells. */
  count: number
  /** Nodes of the tree, and what they name: a page may be named again and again. */
  nodes: number
  kids: number
}

/**
 * Pages of a PDF: the largest of its page objects, of what its tree says and of what its tree names,
 * in object streams too (ISO 32000-1, 7.5.7 and 7.7.3). Never decodes a page.
 * @returns null for a file that is no PDF, or one without pages to be found
 */
export async function pdfPages(bytes: Buffer): Promise<number | null> {
  if (!bytes.subarray(0, maxBytesBeforeHead).includes('%PDF-')) return null
  const found: Found = { pages: 0, count: 0, nodes: 0, kids: 0 }
  await readObjects(bytes, found)
  const isWhole = await readObjectStreams(bytes, found)
  const leaves = found.kids - Math.max(0, found.nodes - 1)
  return Math.max(found.pages, found.count, leaves, isWhole ? 0 : unreadPages) || null
}

/** @returns whether all of them were looked at */
async function readObjectStreams(bytes: Buffer, found: Found): Promise<boolean> {
  let left = maxInflatedInAll
  for (let at = bytes.indexOf('/ObjStm'); at >= 0; at = bytes.indexOf('/ObjStm', at)) {
    const head = bytes.subarray(at, at + maxDictionaryBytes).indexOf('stream')
    at += '/ObjStm'.length
    if (head < 0) continue
    let start = at - '/ObjStm'.length + head + 'stream'.length
    while (bytes[start] === 0x0d || bytes[start] === 0x0a) start++
    const end = bytes.indexOf('endstream', start)
    at = end < 0 ? bytes.length : end
    const packed = bytes.subarray(start, at)
    const objects = await inflated(packed, Math.min(left, maxInflatedBytes))
    if (objects === 'too long') return false
    left -= objects === null ? packed.length * brokenFactor : objects.length + streamCost
    if (left <= 0) return false
    if (objects !== null) await readObjects(objects, found)
  }
  return true
}

/** On another thread. @returns null where it is broken or encrypted */
const inflated = (packed: Buffer, most: number): Promise<Buffer | null | 'too long'> =>
  new Promise((resolve) => {
    // A stream may be cut, and blanks may stand behind it.
    const how = { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH }
    inflate(packed, how, (error: NodeJS.ErrnoException | null, objects) => {
      if (error === null) resolve(objects)
      else resolve(error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too long' : null)
    })
  })

const words =
  /<<|>>|\b(?:end)?obj\b|\/Type\s*\/(Pages?)(?![A-Za-z])|\/Count\s+(\d{1,9})|\/Kids\s*\[([^\]]*)/g

/** A dictionary that is open. */
interface Dictionary {
  isNode: boolean
  count: number
}

async function readObjects(bytes: Buffer, found: Found): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const end = windowEnd(bytes, at)
    readWindow(plainNames(bytes.toString('latin1', at, end)), found)
    at = end
    await yieldToLoop()
  }
}

/** Behind the last object that ends in it, where one does. */
function windowEnd(bytes: Buffer, from: number): number {
  const most = from + windowChars
  if (most >= bytes.length) return bytes.length
  const window = bytes.subarray(from, most)
  for (const word of ['endobj', '>>']) {
    const last = window.lastIndexOf(word)
    if (last > windowChars / 2) return from + last + word.length
  }
  return most
}

/** Any character of a name may be written by its number (ISO 32000-1, 7.3.5). */
const plainNames = (text: string): string =>
  text.replaceAll(/#([0-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

function readWindow(text: string, found: Found): void {
  let open: Dictionary[] = []
  const close = (dictionary: Dictionary | undefined): void => {
    if (dictionary?.isNode !== true) return
    found.nodes++
    found.count = Math.max(found.count, dictionary.count)
  }
  for (const [word, type, count, kids] of text.matchAll(words)) {
    const dictionary = open.at(-1)
    if (word === '<<') {
      if (open.length < maxDepth) open.push({ isNode: false, count: 0 })
    } else if (word === '>>') close(open.pop())
    else if (type === 'Page') found.pages++
    else if (kids !== undefined) found.kids += kidsOf(kids)
    else if (dictionary === undefined) continue
    else if (type === 'Pages') dictionary.isNode = true
    else if (count !== undefined) dictionary.count = Math.max(dictionary.count, Number(count))
    else {
      for (const each of open) close(each)
      open = []
    }
  }
  for (const each of open) close(each)
}

/** Form fields have kids too: what they name is more, never less. */
const kidsOf = (kids: string): number => kids.match(/\bR\b/g)?.length ?? 0
