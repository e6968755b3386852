import { join } from 'node:path'

/** The database of a data folder. */
export const databaseIn = (folder: string): string => join(folder, 'chapar.db')
/** What opens the credentials in it, and checks its keys. */
export const secretIn = (folder: string): string => join(folder, 'secret.key')
/** What calls cost that no commit has written yet. */
export const spoolIn = (folder: string): string => join(folder, 'endings.spool')
