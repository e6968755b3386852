import { sidesIn } from './dimensions'

/** A picture's shape in the words of vendors that take no pixels. */
interface PictureShape {
  /** One of the ratios that were offered. */
  readonly ratio: string
  /** Of its longer side, rounded up to what vendors make. */
  readonly scale: '1K' | '2K' | '4K'
}

/**
 * The offered ratio nearest to a size.
 * @param size such as `1536x1024`; null or `auto`: the vendor chooses
 * @param ratios such as `3:2`
 */
export function pictureShape(
  size: string | null | undefined,
  ratios: readonly string[],
): PictureShape | null {
  const sides = sidesIn(size)
  if (sides === null) return null
  const { width, height } = sides
  // By how far one must be stretched to become the other: 1:2 is as far from 1:1 as 2:1 is.
  const distance = (ratio: string) => Math.abs(Math.log(valueOf(ratio) / (width / height)))
  const [nearest] = ratios.toSorted((a, b) => distance(a) - distance(b))
  if (nearest === undefined) throw new Error('no aspect ratio offered')
  const longer = Math.max(width, height)
  return { ratio: nearest, scale: longer <= 1536 ? '1K' : longer <= 3072 ? '2K' : '4K' }
}

function valueOf(ratio: string): number {
  const [across = 1, down = 1] = ratio.split(':').map(Number)
  return across / down
}
