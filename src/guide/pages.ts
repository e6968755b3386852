import trial from './try-it.md' with { type: 'text' }

/** One page of the guide. */
export interface GuidePage {
  /** Last part of its address: `/guide/NAME`. */
  readonly name: string
  /** Markdown, with its title in the first line. */
  readonly text: string
}

/** Every page, in the order of the table of contents. */
export const guidePages: readonly GuidePage[] = [{ name: 'try-it', text: trial }]
