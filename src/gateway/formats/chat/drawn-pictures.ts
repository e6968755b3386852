import type { Units } from '../../../domain/usage'

/**
 * Tokens of a picture of the usual size that a model draws between its words, where its vendor counted none
 * (ai.google.dev, Gemini API pricing, 2026-11: 1,290 up to 1024 × 1024).
 */
const drawnPictureTokens = 1290

/** Units of pictures that a model drew. */
export const drawnPictures = (count: number): Units =>
  count === 0 ? {} : { output_image: count * drawnPictureTokens }
