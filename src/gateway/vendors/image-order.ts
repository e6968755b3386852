import type { ImagesBody } from '../formats/images/schema'

/** Pictures requested in one vendor request. */
export interface PicturesOrder {
  /** The client's own text. */
  readonly text: string
  readonly body: ImagesBody
  /** How many of the pictures. */
  readonly count: number
  /** Whether they are wanted while they are made. */
  readonly stream: boolean
}
