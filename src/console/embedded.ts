/** One file of the web app, as a browser gets it; made and compressed when the program is built. */
export interface EmbeddedFile {
  /** Below `/app/assets/`; it holds a hash of the content. */
  readonly name: string
  readonly type: string
  /** Paths inside of the program, one an encoding; null where it would save less than a tenth. */
  readonly plain: string
  readonly gzip: string | null
  readonly br: string | null
}

export interface EmbeddedApp {
  /** HTML of the one page, with its marks; empty when the program was not built. */
  readonly page: string
  readonly files: readonly EmbeddedFile[]
}

/** Embedded web app. From source there is none: `scripts/dev` serves it. The build replaces this module. */
export const embedded: EmbeddedApp = { page: '', files: [] }
