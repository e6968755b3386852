import { fileURLToPath } from 'node:url'
import type { SourceReading } from '../../business/pricing/price-readings'
import {
  DocumentRefused,
  openDocuments,
  type FetchDocument,
} from '../../gateway/outbound/fetch-document'
import {
  formatOf,
  portkeyFiles,
  readSource,
  sourceFormats,
  type SoughtCost,
  type SourceFormat,
} from '../../business/pricing/sources/read-source'
import { parseKeepingNumbers, type Row } from '../../business/pricing/sources/rows'
import { FileRefused, readFile, type ReadFile } from '../../storage/files/read-file'

/** Ways to public price data. */
export interface SourceWays {
  readonly fetchDocument: FetchDocument
  readonly readFile: ReadFile
}

export const openSourceWays = (): SourceWays => ({ fetchDocument: openDocuments(), readFile })

/** Of one source, all its files together. */
const maxBytes = 32_000_000
/** Members and elements: the largest source has about 170,000; each takes memory of its own. */
const maxParts = 1_500_000
const timeoutMs = 60_000

/** Why nothing of a source counts, in words. */
class SourceRefused extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'SourceRefused'
  }
}

/** Costs by public price sources. One that fails says why, and tells nothing. */
export async function readSources(
  addresses: readonly string[],
  sought: readonly SoughtCost[],
  ways: SourceWays,
): Promise<readonly SourceReading[]> {
  // All at once: each may take its time.
  const loading = addresses.map((address) => load(address, sought, ways).catch(asRefused))
  const readings: SourceReading[] = []
  const contents = new Map<bigint | number, string>()
  for (const [at, address] of addresses.entries()) {
    const loaded = await loading[at]
    if (loaded === undefined || loaded instanceof SourceRefused) {
      readings.push(failed(address, loaded?.message ?? 'it cannot be read'))
      continue
    }
    const twin = contents.get(loaded.hash)
    contents.set(loaded.hash, address)
    const read = twin === undefined ? parsed(loaded.files, sought) : sameAs(twin)
    // A document is some forty megabytes in memory, and the next one comes: this runs in a thread.
    if (!Bun.isMainThread) Bun.gc(true)
    readings.push(
      read instanceof SourceRefused
        ? failed(address, read.message)
        : { ...read, address, source: nameOf(read.format, address, readings), problem: null },
    )
  }
  return readings
}

const asRefused = (thrown: unknown): SourceRefused => {
  if (thrown instanceof DocumentRefused || thrown instanceof FileRefused)
    return new SourceRefused(thrown.message)
  return thrown instanceof SourceRefused ? thrown : new SourceRefused('it cannot be read')
}

/** One content is one voice. */
const sameAs = (address: string): SourceRefused =>
  new SourceRefused(`it is the same as ${address}, and counts once`)

const failed = (address: string, problem: string): SourceReading => ({
  source: address,
  address,
  told: new Map(),
  problem,
})

/** A second source of one form has its place behind its name. */
function nameOf(format: SourceFormat, address: string, earlier: readonly SourceReading[]): string {
  return earlier.some(({ source }) => source === format) ? `${format} (${address})` : format
}

/** The bytes of a source: one document, or files by the names of vendors. */
interface Loaded {
  readonly files: ReadonlyMap<string | null, Uint8Array>
  readonly hash: bigint | number
}

/** @throws SourceRefused | DocumentRefused | FileRefused */
async function load(
  address: string,
  sought: readonly SoughtCost[],
  ways: SourceWays,
): Promise<Loaded> {
  if (!address.endsWith('/')) {
    const bytes = await bytesOf(address, ways)
    return { files: new Map([[vendorIn(address), bytes]]), hash: Bun.hash(bytes) }
  }
  const names = portkeyFiles(new Set(sought.map(({ dialect }) => dialect)))
  const files = new Map<string, Uint8Array>()
  await Promise.all(
    names.map(async (name) => {
      const bytes = await bytesOf(`${address}${name}.json`, ways).catch((thrown: unknown) => {
        if (isMissing(thrown)) return null
        const { message } = asRefused(thrown)
        throw new SourceRefused(`${name}.json: ${message}`)
      })
      if (bytes !== null) files.set(name, bytes)
    }),
  )
  if (files.size === 0) throw new SourceRefused('it has no file of a vendor here')
  const total = [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)
  if (total > maxBytes) throw new SourceRefused(`it is larger than ${maxBytes / 1_000_000} MB`)
  const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const hash = Bun.hash(sorted.map(([name, bytes]) => `${name} ${Bun.hash(bytes)}`).join())
  return { files: new Map(sorted), hash }
}

const isMissing = (thrown: unknown): boolean =>
  (thrown instanceof DocumentRefused && thrown.status === 404) ||
  (thrown instanceof FileRefused && thrown.isMissing)

function bytesOf(address: string, { fetchDocument, readFile: read }: SourceWays) {
  if (address.startsWith('/')) return read(address, maxBytes)
  if (address.startsWith('file:')) return read(fileURLToPath(address), maxBytes)
  return fetchDocument(address, { maxBytes, timeoutMs })
}

/** Files of the third format are named by their vendor. */
const vendorIn = (address: string): string => /([^/]*?)(?:\.json)?$/.exec(address)?.[1] ?? ''

/** @returns why it is refused */
function parsed(
  files: Loaded['files'],
  sought: readonly SoughtCost[],
): (Pick<SourceReading, 'told'> & { readonly format: SourceFormat }) | SourceRefused {
  try {
    const documents = [...files].map(([name, bytes]) => [name ?? '', documentOf(bytes)] as const)
    const formats = new Set(documents.map(([, document]) => formatOf(document)))
    const [format] = formats
    if (format === undefined || format === null || formats.size > 1)
      throw new SourceRefused(`it is of no known form: ${sourceFormats.join(', ')}`)
    const document =
      format === 'portkey' ? Object.fromEntries(documents) : (documents[0]?.[1] ?? {})
    const told = readSource(format, document, sought)
    if (told.size === 0) throw new SourceRefused('it lists no model of this service')
    return { format, told }
  } catch (thrown) {
    return thrown instanceof SourceRefused ? thrown : new SourceRefused('it is no whole JSON')
  }
}

/** @throws SourceRefused | TypeError | SyntaxError | RangeError */
function documentOf(bytes: Uint8Array): Row {
  let parts = 0
  for (const byte of bytes) if (byte === comma || byte === brace || byte === bracket) parts++
  if (parts > maxParts) throw new SourceRefused('it has more members than price data have')
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (/^\s*</.test(text.slice(0, 100))) throw new SourceRefused('it is a web page, not JSON')
  return parseKeepingNumbers(text)
}

const comma = 0x2c
const brace = 0x7b
const bracket = 0x5b
