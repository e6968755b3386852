/** Size and quality of a picture that is to be drawn; absent where the vendor chooses. */
interface PictureLook {
  /** Such as `1024x1536`. */
  readonly size?: string | null | undefined
  readonly quality?: string | null | undefined
}

/**
 * Tokens of one picture of a million pixels, by quality; scaled by area.
 * @see https://platform.openai.com/docs/guides/image-generation#cost-and-latency, November 2026
 */
const pictureTokens: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 }
const squarePixels = 1024 * 1024
/** Of a size that the vendor chooses. */
const maxPixels = 1024 * 1536

/** Width times height; null for a size that the vendor chooses. */
function pixelsOf(size: PictureLook['size']): number | null {
  const [width = 0, height = 0] = size?.split('x').map(Number) ?? []
  return Number.isFinite(width * height) && width * height > 0 ? width * height : null
}

/** Tokens of a drawn picture; the most there are where the vendor chooses. */
export function drawnTokens({ size, quality }: PictureLook): number {
  const each = pictureTokens[quality ?? 'auto'] ?? pictureTokens['high'] ?? 0
  return Math.ceil((each * (pixelsOf(size) ?? maxPixels)) / squarePixels)
}
