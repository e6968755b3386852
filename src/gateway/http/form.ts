import type { Spool, SpooledFile } from './spool'

/** A form that was read: its fields in memory, its one file beside it. */
export interface FormBody {
  /** In the order sent; a name may come several times. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly file: FormFile | null
}

/** The file of a form. */
export interface FormFile {
  /** As the client named it; never to be used as a path. */
  readonly filename: string | null
  /** Whoever takes the form closes it. */
  readonly content: SpooledFile
}

/** Rules of a form: its file field and limits. */
export interface FormRules {
  /** The field that is a file; every other one is text. */
  readonly fileField: string
  readonly maxFileBytes: number
  readonly spool: Spool
}
