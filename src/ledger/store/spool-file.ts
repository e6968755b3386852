import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename } from 'node:path'
import type { Ms } from '../../domain/clock'
import type { EndingSpool } from '../ending-spool'
import { readSpoolRecords, spoolEnd, isSpoolOf, spoolHead, type SpoolRecord } from '../spool-record'
import { spoolIn } from '../../storage/files/data-folder'

/** The spool of a data folder, and what an earlier process left in it. */
export interface EndingFile extends EndingSpool {
  /** Records that are whole; those of another database are not among them. */
  records(): readonly SpoolRecord[]
  /** Bytes of it that could not be read, before others that could. */
  damagedBytes(): number
  /** Until then nothing of what was left is written over. */
  replayed(): void
  /** Puts it into another folder, and goes on writing it there. */
  moveTo(folder: string): void
}

const blockBytes = 65_536
/** Taken when the file is made: the endings of some hundred calls have room on a full disk. */
const firstBytes = 4 * blockBytes
/** A file that a long fault made larger is cut back. */
const keptBytes = 4_194_304
const zeros = new Uint8Array(blockBytes)
/** Where lines become bytes: the same memory each time. */
const scratch = Buffer.alloc(blockBytes)

/**
 * Opens nothing before the first write, so that commands beside a gateway leave the file alone.
 * @param database its identity
 */
export const openEndingFile = (folder: string, database: string): EndingFile =>
  new SpoolFile(spoolIn(folder), database)

/** A file in which each line goes behind the last one, until all of them are committed. */
class SpoolFile implements EndingFile {
  #file: string
  readonly #database: string
  readonly #head: Buffer
  #descriptor: number | null = null
  /** Where the next line goes, and where lines go once everything is committed. */
  #at: number
  #base: number
  #takenBytes = 0
  #isReplayed = false

  constructor(file: string, database: string) {
    this.#file = file
    this.#database = database
    this.#head = Buffer.from(spoolHead(database))
    this.#at = this.#base = this.#head.length
  }

  records(): readonly SpoolRecord[] {
    const left = this.#left()
    return left === null ? [] : readSpoolRecords(left, this.#head.length).records
  }

  damagedBytes(): number {
    const left = this.#left()
    return left === null ? 0 : readSpoolRecords(left, this.#head.length).damagedBytes
  }

  /** What an earlier process left; null for nothing, and for another database's. */
  #left(): Uint8Array | null {
    const left = read(this.#file)
    return left !== null && isSpoolOf(left, this.#database, this.#head) ? left : null
  }

  replayed(): void {
    this.#isReplayed = true
    this.#base = this.#at = this.#head.length
  }

  moveTo(folder: string): void {
    const to = spoolIn(folder)
    if (existsSync(this.#file)) renameSync(this.#file, to)
    this.#file = to
  }

  append(line: string): void {
    const handle = this.#opened()
    const text = line + spoolEnd
    const fits = 3 * text.length <= scratch.length
    const bytes = fits ? scratch.write(text) : Buffer.byteLength(text)
    const content = fits ? scratch : Buffer.from(text)
    const written = writeSync(handle, content, 0, bytes, this.#at)
    if (written < bytes) take(handle, content.subarray(written, bytes), this.#at + written)
    this.#takenBytes = Math.max(this.#takenBytes, this.#at + bytes)
    // The next line is written over the end.
    this.#at += bytes - spoolEnd.length
  }

  clear(): void {
    this.#at = this.#base
    const handle = this.#descriptor
    if (this.#takenBytes <= keptBytes || handle === null) return
    if (this.#at + blockBytes > firstBytes) return
    this.#gives(() => {
      ftruncateSync(handle, firstBytes)
      this.#takenBytes = firstBytes
    })
  }

  reserve(bytes: number): boolean {
    if (this.#descriptor !== null && this.#at + bytes <= this.#takenBytes) return true
    return this.#gives((handle) => this.#growTo(handle, this.#at + bytes))
  }

  extend(): boolean {
    return this.#gives((handle) => this.#grow(handle))
  }

  close(committed: boolean): void {
    if (this.#descriptor === null) return
    closeSync(this.#descriptor)
    this.#descriptor = null
    if (committed && this.#isReplayed) rmSync(this.#file, { force: true })
  }

  #opened(): number {
    return (this.#descriptor ??= this.#open())
  }

  #open(): number {
    const left = this.#left()
    const own = left !== null
    const handle = openSync(this.#file, own ? 'r+' : 'w+', 0o600)
    this.#takenBytes = fstatSync(handle).size
    if (!own) this.#isReplayed = true
    if (!this.#isReplayed)
      this.#at = this.#base = readSpoolRecords(left ?? zeros, this.#head.length).end
    try {
      // Over one of an earlier version too, once nothing of it is needed.
      if (this.#isReplayed) take(handle, this.#head, 0)
      if (!own) this.#takenBytes = this.#head.length
      this.#growTo(handle, firstBytes)
    } catch (thrown) {
      closeSync(handle)
      throw thrown
    }
    return handle
  }

  #grow(handle: number): void {
    take(handle, zeros, this.#takenBytes)
    this.#takenBytes += blockBytes
  }

  #growTo(handle: number, bytes: number): void {
    const blocks = Math.ceil((bytes - this.#takenBytes) / blockBytes)
    for (let block = 0; block < blocks; block++) this.#grow(handle)
  }

  /** @returns whether the system gave what the work needs */
  #gives(work: (handle: number) => void): boolean {
    try {
      work(this.#opened())
      return true
    } catch {
      return false
    }
  }
}

/** Writes all of it. */
function take(handle: number, bytes: Uint8Array, from: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(handle, bytes, done, bytes.length - done, from + done)
}

/** Null where there is nothing: it was being made when its process died. */
function read(file: string): Uint8Array | null {
  const bytes = existsSync(file) ? readFileSync(file) : zeros.subarray(0, 0)
  return bytes.length === 0 ? null : bytes
}

/**
 * Puts a spool of another database aside, where it can be looked into.
 * @returns its new name; null where there was none
 */
export function setForeignSpoolAside(folder: string, database: string, time: Ms): string | null {
  const left = read(spoolIn(folder))
  if (left === null || isSpoolOf(left, database, Buffer.from(spoolHead(database)))) return null
  const aside = `${spoolIn(folder)}.${new Date(time).toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(spoolIn(folder), aside)
  return aside
}

/** A spool of which a part could not be read: calls that it told of are not charged. */
export interface SpoolDamage {
  readonly bytes: number
  /** Where it can be looked into: the next endings are written over it. */
  readonly copy: string
}

const damaged = 'damaged-'

/**
 * Keeps a copy of a damaged spool in the data folder.
 * @param place the folder that the spool lies in
 * @returns null where all of it could be read
 */
export function keepDamagedSpool(
  place: string,
  folder: string,
  database: string,
): SpoolDamage | null {
  const bytes = openEndingFile(place, database).damagedBytes()
  if (bytes === 0) return null
  let number = 1
  const named = () => `${spoolIn(folder)}.${damaged}${number}`
  while (existsSync(named())) number++
  copyFileSync(spoolIn(place), named())
  return { bytes, copy: named() }
}

/** Names of spools that were put aside: of another database, and damaged ones. */
export function spoolsAside(folder: string) {
  const own = `${basename(spoolIn(folder))}.`
  const aside = readdirSync(folder).filter((name) => name.startsWith(own))
  const isDamaged = (name: string) => name.startsWith(own + damaged)
  return {
    foreign: aside.filter((name) => !isDamaged(name)),
    damaged: aside.filter(isDamaged),
  }
}
