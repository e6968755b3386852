import { storageFault } from '../../domain/storage-fault'

/** What to do about storage that cannot be used, by the beginnings of its codes. */
const words: readonly (readonly [codes: RegExp, text: string])[] = [
  [
    /^SQLITE_(?:CORRUPT|NOTADB)/,
    'the database is damaged: chapar restore FILE --force puts a backup in its place, and keeps it beside',
  ],
  [/^(?:ENOSPC|EDQUOT|SQLITE_FULL|53100)/, 'the disk is full: make room, and try again'],
  [
    /^(?:EROFS|SQLITE_READONLY|25006)/,
    'the database can only be read: mount its file system for writing',
  ],
]

/** A fault of storage in words, with the system's own; null for any other. */
export function storageWords(thrown: unknown): string | null {
  const code = storageFault(thrown)
  if (code === null || !(thrown instanceof Error)) return null
  const found = words.find(([codes]) => codes.test(code))
  return found === undefined ? null : `${found[1]} (${thrown.message})`
}
