import { statSync } from 'node:fs'

/** Loss of the file of an open database. */
type FileLoss = 'removed' | 'replaced'

/** The file of an open database, as its path leads to it. */
export interface DatabaseFile {
  readonly path: string
  /** Looks whether the path still leads to the open file; null where it does. */
  look(): FileLoss | null
  /** Result of the last look. */
  readonly loss: FileLoss | null
}

/** @param path of a database that was opened just now */
export function openDatabaseFile(path: string): DatabaseFile {
  const opened = statSync(path)
  let loss: FileLoss | null = null
  return {
    path,
    look() {
      const now = statSync(path, { throwIfNoEntry: false })
      if (now === undefined) loss = 'removed'
      else loss = now.ino === opened.ino && now.dev === opened.dev ? null : 'replaced'
      return loss
    },
    get loss() {
      return loss
    },
  }
}
